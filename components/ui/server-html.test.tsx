import type { ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { Amount } from './amount.tsx'
import { StatusBadge } from './badge.tsx'
import { Button } from './button.tsx'
import { Callout } from './callout.tsx'
import { ErrorState } from './error-state.tsx'
import { IdText } from './id-text.tsx'
import { Menu } from './menu.tsx'
import { Meter } from './meter.tsx'
import { Panel } from './panel.tsx'
import { Popover } from './popover.tsx'
import { RelativeTime, Time } from './time.tsx'
import { Tooltip } from './tooltip.tsx'

const noop = () => {}

function textOf(element: ReactElement): string {
  return renderToString(element)
    .replaceAll('<!-- -->', '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

describe('served HTML', () => {
  const pieces: Record<string, ReactElement> = {
    Amount: <Amount amount="12.5" currency="HKD" />,
    Button: <Button unavailable="Already locked.">Lock</Button>,
    Callout: <Callout title="News" />,
    ErrorState: <ErrorState failure={{ title: 'It failed' }} onRetry={noop} />,
    IdText: <IdText id="8b9f1c3e-2f0a-4c1d-9e7b-000000001111" />,
    Menu: <Menu label="More" trigger="More" items={[]} />,
    Meter: <Meter share={0.4} label="Use" valueText="40 of 100" />,
    Panel: <Panel title="Limits" />,
    Popover: (
      <Popover label="Range" trigger="Range">
        From
      </Popover>
    ),
    StatusBadge: <StatusBadge label="Active" tone="good" />,
    Time: <Time instant="2026-11-20T01:12:08Z" />,
    Tooltip: (
      <Tooltip text="Why">
        <Button>Read</Button>
      </Tooltip>
    ),
  }

  test.each(Object.entries(pieces))('of %s has no style attribute and no style element', (_name, piece) => {
    expect(renderToString(piece)).not.toMatch(/<style|\sstyle=/)
  })

  test('is caught with a style attribute in it', () => {
    expect(renderToString(<i style={{ width: '40%' }} />)).toMatch(/<style|\sstyle=/)
  })
})

describe('Amount', () => {
  test.each([
    [<Amount key="1" amount={1880} currency="HKD" entryType="CREDIT" />, '−1,880.00 HKD'],
    [<Amount key="2" amount="420" currency="HKD" entryType="DEBIT" />, '+420.00 HKD'],
    [<Amount key="3" amount="-12480.5" currency="HKD" />, '−12,480.50 HKD'],
    [<Amount key="4" amount="50412500" currency="IDR" />, '50,412,500 IDR'],
    [<Amount key="5" amount={0} currency="USD" entryType="CREDIT" />, '0.00 USD'],
    [<Amount key="6" amount={null} currency="USD" />, '– Not provided'],
    [<Amount key="8" amount={Number.NaN} currency="USD" />, '– Not provided'],
    [<Amount key="9" amount={400.4} currency={null} />, '400.4 – Currency not provided'],
    [<Amount key="10" amount={5} currency="USD" entryType={null} />, '5.00 USD – Direction not provided'],
    [<Amount key="11" amount={5} currency="USD" entryType="HOLD" />, '5.00 USD HOLD'],
    [<Amount key="12" amount={5} currency="constructor" />, '5.00 constructor'],
    [<Amount key="7" amount="1.999" currency="USD" />, '1.999 USD'],
  ])('shows %#: direction by sign, an unknown one by a label, no digit lost', (element, text) => {
    expect(textOf(element)).toBe(text)
  })
})

describe('Button', () => {
  test('that cannot be used now stays focusable, says why, and cannot submit', () => {
    const html = renderToString(
      <Button type="submit" unavailable="Only while active." onClick={noop}>
        Change PIN
      </Button>,
    )
    expect(html).toContain('aria-disabled="true"')
    expect(html).toContain('type="button"')
    expect(html).not.toMatch(/\sdisabled/)
    const reasonId = /aria-describedby="([^"]+)"/.exec(html)?.[1]
    expect(html).toMatch(new RegExp(`id="${reasonId}"[^>]*>Only while active\\.`))
  })

  test('that is pending is busy and cannot submit a second time', () => {
    const html = renderToString(
      <Button type="submit" isPending>
        Save
      </Button>,
    )
    expect(html).toContain('aria-busy="true"')
    expect(html).toContain('type="button"')
  })
})

describe('StatusBadge', () => {
  test('shows an unknown status as sent, with a mark beside it', () => {
    const html = renderToString(<StatusBadge label="ORDER_UNDER_AML_REVIEW" />)
    expect(html).toContain('ORDER_UNDER_AML_REVIEW')
    expect(html).toContain('aria-hidden="true"')
  })
})

describe('RelativeTime', () => {
  test('is absolute in the served HTML, so that the browser takes over the same text', () => {
    expect(textOf(<RelativeTime instant="2026-11-20T01:12:08Z" />)).toBe('20 Nov 2026, 09:12')
  })
})
