import { html } from './html.ts'
import type { Html } from './html.ts'

interface SandboxPage {
  /** Says on every page that this is a sandbox, and of what. */
  label: string
  stylesheet: string
  title: string
  body: Html
}

/** The frame of every sandbox's pages. */
export function sandboxPage({ label, stylesheet, title, body }: SandboxPage): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title} · ${label}</title>
        <link rel="stylesheet" href="${stylesheet}" />
        <link rel="icon" href="data:," />
      </head>
      <body>
        <header>${label}</header>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`.source.trim()
}
