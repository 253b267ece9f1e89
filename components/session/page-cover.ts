import { isControl } from '#components/ui/typed-work.ts'

/** The texts that elements have in attributes. */
const attributes = [
  'href',
  'src',
  'alt',
  'title',
  'value',
  'aria-label',
  'aria-description',
  'aria-valuetext',
  'datetime',
]

/**
 * Hides the page and takes every text out of it but the entries of `forms`; the returned function puts them back. The elements stay, since
 * React updates them; a text that changes meanwhile stays changed.
 */
export function blankPage(forms: readonly Element[]): () => void {
  const undo: (() => void)[] = []
  const isEntry = (node: Node) => isControl(node) && forms.some((form) => form.contains(node))
  const accept = (node: Node) =>
    node instanceof HTMLStyleElement || node instanceof HTMLLinkElement || isEntry(node)
      ? NodeFilter.FILTER_REJECT
      : NodeFilter.FILTER_ACCEPT
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, accept)
  const nodes: Node[] = []
  while (walker.nextNode()) nodes.push(walker.currentNode)
  for (const node of nodes) {
    if (node instanceof Text) undo.push(...blankText(node))
    if (node instanceof Element) undo.push(...blankElement(node))
  }
  const { title } = document
  document.title = 'Carddesk'
  // An attribute: with `body:has()` each element that is added anywhere would restyle the whole page.
  document.body.toggleAttribute('data-covered', true)
  return () => {
    document.body.toggleAttribute('data-covered', false)
    document.title = title
    for (const each of undo) each()
  }
}

function blankText(node: Text): (() => void)[] {
  const { data } = node
  if (data.trim() === '') return []
  node.data = ''
  // A script has run: its text, which is the data of the page's first reads, is of no use any more.
  if (node.parentElement instanceof HTMLScriptElement) return []
  return [() => void (node.data === '' && (node.data = data))]
}

function blankElement(element: Element): (() => void)[] {
  if (element instanceof HTMLScriptElement) return []
  const undo: (() => void)[] = []
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    const { value } = element
    if (element.type !== 'file' && value !== '') {
      element.value = ''
      undo.push(() => void (element.value === '' && (element.value = value)))
    }
  }
  for (const name of attributes) {
    const value = element.getAttribute(name)
    if (!value) continue
    element.setAttribute(name, '')
    undo.push(() => element.getAttribute(name) === '' && element.setAttribute(name, value))
  }
  return undo
}
