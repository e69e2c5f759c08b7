import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pictureName, SCHEMES, WIDTHS } from './picture-files.ts'

/** Writes a page that shows the pictures of a folder by screen, the widths side by side. */
export function writeAlbum(folder: string): string {
  const files = new Set(readdirSync(folder))
  const statesByScreen = Map.groupBy(
    new Set([...files].map((file) => file.split('--').slice(0, 2).join('--'))),
    (state) => state.split('--')[0]!,
  )
  const row = (scheme: (typeof SCHEMES)[number], screen: string, state: string) =>
    WIDTHS.map((width) => pictureName({ screen, state, width, scheme }))
      .filter((file) => files.has(file))
      .map(
        (file) => `<a href="${encodeURI(file)}"><img loading="lazy" src="${encodeURI(file)}"></a>`,
      )
      .join('')
  const sections = [...statesByScreen].map(
    ([screen, names]) =>
      `<h2 id="${screen}">${screen}</h2>` +
      names
        .map((name) => name.split('--')[1]!)
        .map((state) => {
          const rows = SCHEMES.map(
            (scheme) => `<div class="row ${scheme}">${row(scheme, screen, state)}</div>`,
          )
          return `<h3>${screen}: ${state}</h3>${rows.join('')}`
        })
        .join(''),
  )
  const choices = SCHEMES.map(
    (scheme, index) =>
      `<label><input type="radio" name="scheme" value="${scheme}"${index === 0 ? ' checked' : ''}> ${scheme}</label>`,
  )
  const links = [...statesByScreen.keys()].map((screen) => `<a href="#${screen}">${screen}</a>`)
  const hidden = SCHEMES.map(
    (scheme) => `body:not(:has([value=${scheme}]:checked)) .${scheme}`,
  ).join(', ')
  const page = join(folder, 'index.html')
  writeFileSync(
    page,
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Screens</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 1rem 4rem; }
header { position: sticky; top: 0; display: flex; flex-wrap: wrap; gap: 1rem; padding: 0.75rem 0; background: Canvas; }
h2, h3 { scroll-margin-top: 4rem; }
.row { display: flex; gap: 1rem; align-items: start; }
.row a { flex: 0 1 auto; min-width: 12rem; border: 1px solid GrayText; }
img { display: block; max-width: 100%; }
${hidden} { display: none; }
</style>
<header>${choices.join(' ')} ${links.join(' ')}</header>
${sections.join('\n')}
`,
  )
  return page
}
