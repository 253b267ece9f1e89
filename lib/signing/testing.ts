import pairs from './vectors/key-pairs.json' with { type: 'json' }

/** RSA key pairs as PEM, the same in each run: two of 2048 bits, one of 3072. Making one takes a test tenths of a second. */
export const { own: testKeyPair, other: otherTestKeyPair, strong: strongTestKeyPair } = pairs
