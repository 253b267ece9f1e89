export const pingTimesNote = 'Changes appear within 15 seconds. All times are the API’s.'

/** How the service’s clock is known, as text. */
export const clockNotes = {
  clock: 'by the sandbox’s own clock',
  responses: 'by the Date of the API’s responses',
  times: 'by the newest time that the service wrote',
} as const
