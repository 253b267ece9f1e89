/** The look of a filter that is set. It is stronger than the look of a button: some filters are the button of a menu. */
export const setFilter = 'border-accent/30! bg-accent-wash! text-accent!'
