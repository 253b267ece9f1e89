'use client'

import './globals.css'

/** Replaces the whole document, so it needs nothing that could have failed: no data, no script. */
export default function GlobalErrorPage() {
  return (
    <html lang="en">
      <body>
        <title>Carddesk could not be shown</title>
        <main className="mx-auto flex min-h-dvh max-w-lg flex-col justify-center px-6">
          <h1 className="text-xl font-semibold tracking-tight">Carddesk could not be shown</h1>
          <p className="mt-2 text-soft">
            The server returned an error before the page began. Nothing was changed by showing it; it is safe to try
            again. If it stays like this, the server’s log says why.
          </p>
          <p className="mt-5">
            {/* A full load: the router may be what failed. */}
            {/* oxlint-disable-next-line next/no-html-link-for-pages */}
            <a
              href="/"
              className="inline-flex h-8 items-center rounded-control bg-accent px-3 font-medium text-on-accent"
            >
              Start again
            </a>
          </p>
        </main>
      </body>
    </html>
  )
}
