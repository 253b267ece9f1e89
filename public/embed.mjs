// @ts-check
/** `embed.js` as a module: `import 'https://carddesk.example.com/embed.mjs'`. */
Reflect.set(globalThis, 'carddeskOrigin', new URL(import.meta.url).origin)
await import('./embed.js')

export const CarddeskView = customElements.get('carddesk-view')
