import certificates from './vectors/certificates.json' with { type: 'json' }
import pairs from './vectors/key-pairs.json' with { type: 'json' }

/** RSA key pairs as PEM, the same in each run: two of 2048 bits, one of 3072. Making one takes a test tenths of a second. */
export const { own: testKeyPair, other: otherTestKeyPair, strong: strongTestKeyPair } = pairs

/** Self-signed certificates of `testKeyPair` for 127.0.0.1 and localhost: one until 2126, one that expired on 2025-01-01. */
export const { selfSigned: selfSignedCertificate, expired: expiredCertificate } = certificates
