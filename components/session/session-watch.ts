import type { SessionActivity } from '#lib/auth/types.ts'

export type SessionState =
  | { kind: 'active' }
  /** Nothing was done for long; `endsAt` is when the session ends, by this browser's clock. */
  | { kind: 'warning'; endsAt: number }
  | { kind: 'signed-out' }

/** The session as the console reports it, `signed-out`, or null where the console does not respond. */
export type SessionReport = SessionActivity | 'signed-out' | null

export type SessionWatch = {
  /** The person did something. Reported at once, then every half minute at most. */
  onActivity: () => void
  /** The person pressed "Stay signed in". */
  stay: () => void
  /** Called when the session may have ended or restarted. */
  recheck: () => void
  stop: () => void
}

type Options = {
  staffId: string
  role: string
  idleMs: number
  /** Reads how long the session lasts, which is no activity. */
  read: () => Promise<SessionReport>
  /** Reports activity. */
  report: () => Promise<SessionReport>
  onState: (state: SessionState) => void
  /** Another person is signed in by now: what this page shows is not theirs. */
  onOtherPerson: () => void
  /** The person's role is another one by now, or `role` again: whether this page may show what it shows. */
  onRole: (isOther: boolean) => void
}

const warningMs = 2 * 60_000
const reportEveryMs = 30_000
/** How often a page that warns checks whether another tab changed that. */
const recheckMs = 5_000

/**
 * Follows the idle time of a session. Only the console decides when it ends: this checks before it warns, since the person may
 * be active in another tab, and checks again at the end.
 */
export function watchSession(options: Options): SessionWatch {
  const { staffId, role, idleMs, read, report, onState, onOtherPerson, onRole } = options
  let state: SessionState = { kind: 'active' }
  // Opening the page was activity.
  let endsAt = Date.now() + idleMs
  let reportedAt = Date.now()
  let isOtherRole = false
  let isStopped = false
  let checkTimer: ReturnType<typeof setTimeout> | undefined
  let reportTimer: ReturnType<typeof setTimeout> | undefined

  function enter(next: SessionState): void {
    const isSame =
      next.kind === state.kind && (next.kind !== 'warning' || (state as typeof next).endsAt === next.endsAt)
    state = next
    if (!isSame) onState(next)
  }

  function plan(): void {
    clearTimeout(checkTimer)
    // A session that ended is not asked for again by itself, which would be refused: the page asks when its person comes back to it.
    if (isStopped || state.kind === 'signed-out') return
    const untilWarning = endsAt - warningMs - Date.now()
    const isCalm = state.kind === 'active' && untilWarning > 0
    checkTimer = setTimeout(check, isCalm ? untilWarning : recheckMs)
  }

  function take(reported: SessionReport, sentAt: number): void {
    if (isStopped) return
    if (reported === 'signed-out') enter({ kind: 'signed-out' })
    else if (reported !== null && reported.staffId !== staffId) return onOtherPerson()
    else if (reported !== null) {
      endsAt = sentAt + reported.idleInMs
      if (isOtherRole !== (reported.role !== role)) onRole((isOtherRole = !isOtherRole))
      enter(reported.idleInMs > warningMs ? { kind: 'active' } : { kind: 'warning', endsAt })
    }
    plan()
  }

  function check(): void {
    const sentAt = Date.now()
    void read().then((reported) => take(reported, sentAt))
  }

  function reportNow(): void {
    clearTimeout(reportTimer)
    reportTimer = undefined
    reportedAt = Date.now()
    const sentAt = reportedAt
    void report().then((reported) => take(reported, sentAt))
  }

  plan()
  return {
    onActivity() {
      // A warning needs a response, and an ended session does not restart on its own.
      if (state.kind !== 'active' || reportTimer !== undefined) return
      const waitMs = reportedAt + reportEveryMs - Date.now()
      if (waitMs <= 0) reportNow()
      else reportTimer = setTimeout(reportNow, waitMs)
    },
    stay: reportNow,
    recheck: check,
    stop() {
      isStopped = true
      clearTimeout(checkTimer)
      clearTimeout(reportTimer)
    },
  }
}
