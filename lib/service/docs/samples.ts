/** Programs of the docs. They run as they are printed: a test extracts them from the page and runs them. */

/** Signs two requests with Node 20 and nothing else. */
export function signingInNode(baseUrl: string): string {
  return `import { createHash, randomUUID, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'

// ACCESS_KEY: the access key. PRIVATE_KEY: the path of its private key (PEM).
const { ACCESS_KEY, PRIVATE_KEY } = process.env
const baseUrl = '${baseUrl}'
const privateKey = readFileSync(PRIVATE_KEY)
const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')

async function call(method, path, value) {
  const url = new URL(baseUrl + path)
  const body = value === undefined ? '' : JSON.stringify(value)
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    sub: ACCESS_KEY,
    uri: url.pathname + url.search,
    method,
    body: createHash('sha256').update(body).digest('hex'),
    iat: now,
    exp: now + 25,
    jti: randomUUID(),
  }
  const signed = \`\${encode({ alg: 'RS256', typ: 'JWT' })}.\${encode(claims)}\`
  const signature = sign('sha256', signed, privateKey).toString('base64url')
  const response = await fetch(url, {
    method,
    headers: { authorization: \`Bearer \${signed}.\${signature}\`, 'content-type': 'application/json' },
    // The bytes that were hashed are the bytes that are sent.
    ...(body === '' ? {} : { body }),
  })
  const result = await response.json()
  if (response.status !== 200) throw new Error(\`\${response.status} \${result.code}: \${result.message}\`)
  return result
}

const { cardaccounts } = await call('GET', '/cardaccounts?pageSize=1')
console.log(await call('POST', '/cardaccounts/simulate-repay', { cardAccountIds: cardaccounts.map(({ id }) => id) }))
`
}

/** The same in Python 3 with the package cryptography. */
export function signingInPython(baseUrl: string): string {
  return `import base64, hashlib, json, os, time, urllib.parse, urllib.request, uuid
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding

# ACCESS_KEY: the access key. PRIVATE_KEY: the path of its private key (PEM).
access_key = os.environ["ACCESS_KEY"]
base_url = "${baseUrl}"
with open(os.environ["PRIVATE_KEY"], "rb") as file:
    private_key = serialization.load_pem_private_key(file.read(), password=None)


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def call(method, path, value=None):
    url = urllib.parse.urlsplit(base_url + path)
    body = b"" if value is None else json.dumps(value).encode()
    now = int(time.time())
    claims = {
        "sub": access_key,
        "uri": url.path + (f"?{url.query}" if url.query else ""),
        "method": method,
        "body": hashlib.sha256(body).hexdigest(),
        "iat": now,
        "exp": now + 25,
        "jti": str(uuid.uuid4()),
    }
    signed = ".".join(encode(json.dumps(part).encode()) for part in ({"alg": "RS256", "typ": "JWT"}, claims))
    signature = encode(private_key.sign(signed.encode(), padding.PKCS1v15(), hashes.SHA256()))
    request = urllib.request.Request(
        url.geturl(),
        method=method,
        headers={"authorization": f"Bearer {signed}.{signature}", "content-type": "application/json"},
        # The bytes that were hashed are the bytes that are sent.
        data=body or None,
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)


accounts = call("GET", "/cardaccounts?pageSize=1")["cardaccounts"]
print(call("POST", "/cardaccounts/simulate-repay", {"cardAccountIds": [account["id"] for account in accounts]}))
`
}

/** A receiver of events: verifies, takes each event once, responds at once. */
export function receivingInNode(controlUrl: string): string {
  return `import { verify } from 'node:crypto'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'

const publicKey = await (await fetch('${controlUrl}/webhook-key')).text()
const seen = new Set() // In your service: the ids that are stored, in the transaction of the effect.

async function take(request, response) {
  const body = await buffer(request)
  const signature = Buffer.from(request.headers['x-access-signature'] ?? '', 'base64')
  // The raw bytes are verified before anything is parsed.
  if (!verify('sha256', body, publicKey, signature)) return response.writeHead(401).end()
  const { id, event, data, time } = JSON.parse(body)
  if (!seen.has(id)) {
    seen.add(id)
    console.log(time, event, data.id ?? data.cardAccountId ?? '')
  }
  // 200 and nothing else: 201, 204 and a redirect are failures.
  response.writeHead(200).end()
}

createServer((request, response) => {
  // A body that breaks off or is no JSON is not taken: it comes again.
  take(request, response).catch(() => response.writeHead(400).end())
}).listen(process.env.PORT ?? 9000)
`
}

/** The same in Python 3 with the package cryptography. */
export function receivingInPython(controlUrl: string): string {
  return `import base64, json, os, urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding

with urllib.request.urlopen("${controlUrl}/webhook-key") as response:
    public_key = serialization.load_pem_public_key(response.read())
seen = set()  # In your service: the ids that are stored, in the transaction of the effect.


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            # The raw bytes are verified before anything is parsed.
            signature = base64.b64decode(self.headers.get("x-access-signature", ""))
            public_key.verify(signature, body, padding.PKCS1v15(), hashes.SHA256())
        except (InvalidSignature, ValueError):
            return self.respond(401)
        delivery = json.loads(body)
        if delivery["id"] not in seen:
            seen.add(delivery["id"])
            print(delivery["time"], delivery["event"], flush=True)
        # 200 and nothing else: 201, 204 and a redirect are failures.
        self.respond(200)

    def respond(self, status):
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


HTTPServer(("", int(os.environ.get("PORT", "9000"))), Receiver).serve_forever()
`
}
