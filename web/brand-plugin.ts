import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BRAND_ELEMENT, BRAND_FILES, pageBrand, telHref } from '@guidon/contract/brand'
import { joinBrandFiles } from '@guidon/contract/brand-folder'
import { CRISIS_HTML } from '@guidon/contract/trust'
import type { Plugin } from 'vite'

/** Fills in the brand and serves its files in development, as the API server does for the built pages. */
export function brandInDevelopment(folder: string): Plugin {
  return {
    name: 'guidon:brand',
    apply: 'serve',
    transformIndexHtml(html) {
      const data = joinBrandFiles((name, type) => {
        const path = join(folder, name)
        return existsSync(path) ? type.parse(JSON.parse(readFileSync(path, 'utf8'))) : undefined
      })
      // `<` would let a value close the script element.
      const settings = { documentViewing: process.env['DOCUMENT_VIEWING'] === 'on' }
      const json = JSON.stringify({ ...pageBrand(data), ...settings }).replaceAll('<', '\\u003c')
      return html
        .replace(
          '<!--guidon:brand-->',
          () => `<script type="application/json" id="${BRAND_ELEMENT}">${json}</script>`,
        )
        .replaceAll('__BRAND_NAME__', () => data.name)
        .replaceAll('__BRAND_PHONE__', () => data.phone)
        .replaceAll('__BRAND_TEL__', telHref(data.phone))
        .replaceAll('__CRISIS_LINE__', CRISIS_HTML)
    },
    configureServer(server) {
      server.middlewares.use('/brand', (request, response, next) => {
        const name = BRAND_FILES.find((file) => request.url?.split('?')[0] === `/${file}`)
        if (name === undefined) return next()
        response.setHeader('Content-Type', 'image/svg+xml')
        createReadStream(join(folder, name)).on('error', next).pipe(response)
      })
    },
  }
}
