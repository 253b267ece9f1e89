export const pingTimesNote =
  'A change is seen at the console’s next look, 15 seconds later at most. All times are the service’s.'

/** How the service’s clock is known, in words. */
export const clockNotes = {
  clock: 'by the sandbox’s own clock',
  answers: 'by the clock of the service’s answers',
  times: 'by the newest time that the service wrote',
} as const
