import './globals.css'
import type { Metadata, Viewport } from 'next'
import localFont from 'next/font/local'
import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { readPreferences } from '#components/ui/preferences.ts'

/** Optional: a page whose font is late keeps the fallback, instead of laying out each of its rows a second time. */
const sans = localFont({
  src: '../node_modules/geist/dist/fonts/geist-sans/Geist-Variable.woff2',
  variable: '--font-geist-sans',
  weight: '100 900',
  display: 'optional',
})
const mono = localFont({
  src: '../node_modules/geist/dist/fonts/geist-mono/GeistMono-Variable.woff2',
  variable: '--font-geist-mono',
  weight: '100 900',
  display: 'optional',
  adjustFontFallback: false,
})

export const metadata: Metadata = {
  title: { default: 'Carddesk', template: '%s · Carddesk' },
  description: 'The operations desk for a card program.',
  icons: { icon: '/favicon.svg' },
  robots: { index: false, follow: false },
  referrer: 'same-origin',
}

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f7f7f5' },
    { media: '(prefers-color-scheme: dark)', color: '#121311' },
  ],
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const cookieStore = await cookies()
  const { theme } = readPreferences((name) => cookieStore.get(name)?.value)
  return (
    <html lang="en" data-theme={theme} className={`${sans.variable} ${mono.variable}`}>
      <body>{children}</body>
    </html>
  )
}
