import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'vite'

const HTML = `<!doctype html>
<html lang="en">
  <head>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Control</title>
  </head>
  <body><div id="root"></div><script type="module" src="/main.js"></script></body>
</html>`

/** A sign-in form of the libraries' own parts, without any code of the product. */
const SCRIPT = `
import Button from '@mui/material/Button'
import CssBaseline from '@mui/material/CssBaseline'
import Link from '@mui/material/Link'
import Paper from '@mui/material/Paper'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { createTheme, ThemeProvider } from '@mui/material/styles'
import { createElement as h } from 'react'
import { createRoot } from 'react-dom/client'

createRoot(document.getElementById('root')).render(
  h(ThemeProvider, { theme: createTheme({ cssVariables: true }) },
    h(CssBaseline),
    h(Paper, { component: 'main' },
      h(Typography, { variant: 'h1' }, 'Sign in'),
      h(TextField, { label: 'Email', type: 'email' }),
      h(TextField, { label: 'Password', type: 'password' }),
      h(Button, { variant: 'contained' }, 'Sign in'),
      h(Link, { href: '/signup' }, 'Sign up'))))`

/** Builds the control page with the same Vite, and serves it compressed. */
export async function startControlPage() {
  // Inside node_modules, so that its imports are found.
  const cache = join(import.meta.dirname, '../../node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const root = mkdtempSync(join(cache, 'first-load-control-'))
  writeFileSync(join(root, 'index.html'), HTML)
  writeFileSync(join(root, 'main.js'), SCRIPT)
  await build({ root, configFile: false, logLevel: 'error' })
  const assets = new Map(
    readdirSync(join(root, 'dist/assets')).map((name) => [
      `/assets/${name}`,
      brotliCompressSync(readFileSync(join(root, 'dist/assets', name))),
    ]),
  )
  const page = readFileSync(join(root, 'dist/index.html'))
  const server = createServer(({ url = '' }, response) => {
    const asset = assets.get(url)
    if (!asset) return response.setHeader('Content-Type', 'text/html').end(page)
    const type = url.endsWith('.js') ? 'text/javascript' : 'text/css'
    response.setHeader('Content-Type', type).setHeader('Content-Encoding', 'br')
    return response.setHeader('Cache-Control', 'max-age=31536000, immutable').end(asset)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
