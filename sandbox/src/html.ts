/** Text that has been made safe to stand in a page. */
export class Html {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A template whose values are escaped, unless they are themselves the work of this function. */
export function html(parts: TemplateStringsArray, ...values: (string | Html | Html[])[]): Html {
  return new Html(
    parts.reduce((page, part, position) => page + render(values[position - 1] ?? '') + part),
  )
}

function render(value: string | Html | Html[]): string {
  if (value instanceof Html) return value.source
  if (Array.isArray(value)) return value.map(render).join('')
  return value.replace(/[&<>"']/g, (character) => ENTITIES[character]!)
}
