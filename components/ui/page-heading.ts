/** The page's heading, so that the next Tab begins at the top of the page and not of the document. */
export function pageHeading(): HTMLElement | true {
  const main = document.getElementById('main')
  const heading = main?.querySelector<HTMLElement>('h1')
  if (heading) heading.tabIndex = -1
  return heading ?? main ?? true
}
