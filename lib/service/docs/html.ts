/** Markup that is safe to send: only the tag `html` makes it. */
export type Html = { readonly markup: string }

type Part = Html | string | number | null | undefined | false | readonly Part[]

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') {
    return String(part).replace(/[&<>"']/g, (character) => entities[character] ?? character)
  }
  return 'markup' in part ? part.markup : part.map(render).join('')
}

/** A template whose texts are escaped; markup from the same tag goes in as it is. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return { markup: texts.map((text, place) => text + render(parts[place])).join('') }
}

/** A table of these headings; each row is its cells. */
export function table(headings: readonly Part[], rows: readonly (readonly Part[])[]): Html {
  return html`<table>
    <thead>
      <tr>
        ${headings.map((heading) => html`<th>${heading}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (cells) =>
          html`<tr>
            ${cells.map((cell) => html`<td>${cell}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`
}
