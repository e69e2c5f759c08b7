import { readFileSync } from 'node:fs'
import { html } from './html.ts'
import type { Html } from './html.ts'

export const STYLESHEET_PATH = '/sandbox.css'
export const STYLESHEET_TYPE = 'text/css; charset=utf-8'

/** For pages without scripts. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'"

interface SandboxPage {
  /** Names the sandbox on each of its pages. */
  label: string
  title: string
  body: Html
}

/** The HTML document around the content of each sandbox page. */
export function sandboxPage({ label, title, body }: SandboxPage): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title} · ${label}</title>
        <link rel="stylesheet" href="${STYLESHEET_PATH}" />
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

export function stylesheet(): string {
  return readFileSync(`${import.meta.dirname}/sandbox.css`, 'utf8')
}
