const tlsKey =
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgceWMHN9/q3wfZMWncHdSR8JphgQaM6xF/KLlNKmeeZShRANCAAT9' +
  'xQuBd7BnuivcB4otCK/ShDjniJfNp6k8JpipHQLrG7JisvaOUPHYuHMfX0KWuNI2I/5Go3YAAo3iX74YM1NH'
const tlsCertificate =
  'MIIBXTCCAQSgAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAx' +
  'MDEwMDAwMDBaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABP3FC4F3sGe6K9wHii0Ir9KE' +
  'OOeIl82nqTwmmKkdAusbsmKy9o5Q8di4cx9fQpa40jYj/kajdgACjeJfvhgzU0ejRTBDMBQGA1UdEQQNMAuCCWxvY2FsaG9zdDAM' +
  'BgNVHRMEBTADAQH/MB0GA1UdDgQWBBSpVNiqGZFUsRnopW0Ns3KEzM3VMDAKBggqhkjOPQQDAgNHADBEAiBnMUXiY63T1duXLjLb' +
  'VbUZtsfrftz/ek0u6N2HpXOW6QIgDy1vn35rh/zrJlmuVPA03coc/88xpWrDdLOd6h8wyV8='
const pem = (label: string, base64: string) => `-----BEGIN ${label}-----\n${base64}\n-----END ${label}-----\n`

/** PEM of a certificate for localhost and its key. It signed itself, and is valid from 2020 to 2120. */
export const testCertificate = { key: pem('PRIVATE KEY', tlsKey), cert: pem('CERTIFICATE', tlsCertificate) }
