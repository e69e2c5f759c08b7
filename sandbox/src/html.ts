/** HTML whose values are escaped. */
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

/** Escapes each value of the template, except for HTML that this function made. */
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
