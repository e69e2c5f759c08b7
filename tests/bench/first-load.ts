import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import { screens } from '@guidon/contract/screens'
import { chromium } from '@playwright/test'
import lighthouse, { type Result } from 'lighthouse'
import { Client } from 'pg'
import { build } from 'vite'
import { median, shuffled } from '../support/outside/statistics.ts'
import { startApiStack } from './api-stack.ts'
import { builtApp } from './built-app.ts'
import { addLinkedUsers, addOwnDocuments } from './dashboard-rows.ts'
import { fixed, loadFigure, printFigures, report, verdict } from './figures.ts'
import { accessHasher, cookieOf, signInVeterans } from './veterans.ts'

/**
 * The first visit of a phone, as Lighthouse simulates it, beside a small page of React and MUI alone. The screens of
 * later visits are fetched ahead while the page is idle, so the kilobytes contain them.
 */

const { values } = parseArgs({
  options: { times: { type: 'string', default: '5' }, only: { type: 'string' } },
})
const MAX_BLOCKED_MS = 200
const GOALS: Readonly<Record<string, { score: number; signedIn?: 'withCase' | 'newcomer' }>> = {
  [screens.signIn]: { score: 95 },
  [screens.signUp]: { score: 92 },
  [screens.home]: { score: 90, signedIn: 'withCase' },
  [screens.getStarted]: { score: 90, signedIn: 'newcomer' },
}
const CONTROL = 'control'
const paths = Object.keys(GOALS).filter((path) => !values.only || path === values.only)

const DEBUGGING_PORT = 9333

interface Visit {
  score: number
  blockedMs: number
  largestPaintMs: number
  layoutShift: number
  /** Of all files, as sent. */
  kilobytes: number
  scriptKilobytes: number
}

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

const stack = await startFirstLoadStack()
const control = await startControlPage()
const visits = new Map<string, Visit[]>([CONTROL, ...paths].map((name) => [name, []]))
try {
  for (let time = 1; time <= Number(values.times); time += 1) {
    for (const [name, measured] of shuffled([...visits])) {
      const url = name === CONTROL ? control.url : stack.origin + name
      const signedIn = GOALS[name]?.signedIn
      const figures = await visit(url, signedIn && stack.cookies[signedIn])
      measured.push(figures)
      report(
        `visit ${time} of ${values.times}, ${name}: score ${fixed(figures.score, 0)}, ` +
          `blocked ${fixed(figures.blockedMs, 0)} ms, ${fixed(figures.kilobytes, 0)} kB`,
      )
    }
  }
} finally {
  control.close()
  await stack.close()
}

const medianOf = (name: string, figure: keyof Visit) =>
  median(visits.get(name)!.map((one) => one[figure]))
const controlBlockedMs = medianOf(CONTROL, 'blockedMs')
const maxBlockedMs = Math.max(MAX_BLOCKED_MS, controlBlockedMs)
let allReached = true

function lineOf(name: string): string {
  const figure = (one: keyof Visit, digits = 0) => fixed(medianOf(name, one), digits)
  const scores = visits.get(name)!.map(({ score }) => fixed(score, 0))
  const goal = GOALS[name]
  const reached =
    !goal || (medianOf(name, 'score') >= goal.score && medianOf(name, 'blockedMs') <= maxBlockedMs)
  allReached = allReached && reached
  return (
    `${name}: score ${figure('score')} (${scores.join(' ')}), blocked ${figure('blockedMs')} ms, ` +
    `largest paint ${figure('largestPaintMs')} ms, layout shift ${figure('layoutShift', 3)}, ` +
    `${figure('kilobytes')} kB, scripts ${figure('scriptKilobytes')} kB` +
    (goal
      ? `; goal ${goal.score} and at most ${fixed(maxBlockedMs, 0)} ms: ${verdict(reached)}`
      : '')
  )
}

printFigures([
  `first load on a phone (Lighthouse, mobile), medians of ${values.times}`,
  ...[CONTROL, ...paths].map(lineOf),
  loadFigure(),
])
process.exitCode = allReached ? 0 : 1

/** Loads a page with the mobile preset of Lighthouse, in a new browser. */
async function visit(url: string, cookie?: string): Promise<Visit> {
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium-headless-shell',
    args: [
      `--remote-debugging-port=${DEBUGGING_PORT}`,
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
    ],
  })
  try {
    const run = await lighthouse(url, {
      port: DEBUGGING_PORT,
      onlyCategories: ['performance'],
      logLevel: 'error',
      ...(cookie !== undefined && { extraHeaders: { Cookie: cookie } }),
    })
    if (!run) throw new Error(`Lighthouse returned nothing for ${url}`)
    return figuresOf(run.lhr, url)
  } finally {
    await browser.close()
  }
}

function figuresOf(result: Result, url: string): Visit {
  if (result.runtimeError) throw new Error(`${url}: ${result.runtimeError.message}`)
  if (result.finalDisplayedUrl !== url) throw new Error(`${url} led to ${result.finalDisplayedUrl}`)
  const value = (audit: string) => result.audits[audit]?.numericValue ?? Number.NaN
  const { items } = result.audits['network-requests']!.details as unknown as {
    items: { resourceType: string; transferSize: number }[]
  }
  const kilobytesOf = (type?: string) =>
    items
      .filter((item) => type === undefined || item.resourceType === type)
      .reduce((sum, item) => sum + item.transferSize, 0) / 1000
  return {
    score: 100 * (result.categories['performance']!.score ?? 0),
    blockedMs: value('total-blocking-time'),
    largestPaintMs: value('largest-contentful-paint'),
    layoutShift: value('cumulative-layout-shift'),
    kilobytes: kilobytesOf(),
    scriptKilobytes: kilobytesOf('Script'),
  }
}

/** Builds the control page with the same Vite, and serves it compressed. */
async function startControlPage() {
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

/** Starts the built product with two veterans who are signed in: one has a case, and one has only signed up. */
async function startFirstLoadStack() {
  builtApp()
  const apiStack = await startApiStack({ env: { LOG_LEVEL: 'warn' } })
  const { urls, environment } = apiStack.stack
  const sql = new Client({ connectionString: urls.database })
  await sql.connect()
  await addCase(sql)
  await addLinkedUsers(sql)
  await addOwnDocuments(sql)
  const tokenKey = environment['TOKEN_KEY']!
  await signInVeterans(sql, tokenKey, 1)
  await addNewcomer(sql, accessHasher(tokenKey)(1))
  await sql.end()
  return {
    origin: urls.portal,
    cookies: { withCase: cookieOf(0), newcomer: cookieOf(1) },
    close: apiStack.close,
  }
}

async function addCase(sql: Client): Promise<void> {
  await sql.query(
    `insert into crm_user (id, modified_at, deleted, name, email, phone)
     values ('manager', now(), false, 'Casey Becker', 'casey@guidon.example', '8005550142')`,
  )
  await sql.query(
    `insert into crm_contact (id, modified_at, deleted, first_name, last_name, email, phone, case_manager_id)
     values ('veteran', now(), false, 'James', 'Whitfield', 'james@example.com', '6195550134', 'manager')`,
  )
  await sql.query(
    `insert into crm_appointment (id, modified_at, deleted, contact_id, date, time, clinic_name, scheduled)
     select 'appointment-' || n, now(), false, 'veteran', current_date + n * 7, '08:30', 'Tampa Clinic', true
     from generate_series(1, 2) as n`,
  )
  await sql.query(
    `insert into crm_document (id, modified_at, deleted, contact_id, name, type, status)
     select 'document-' || n, now(), false, 'veteran', 'Document ' || n, 'Letter', 'requested'
     from generate_series(1, 3) as n`,
  )
}

async function addNewcomer(sql: Client, accessHash: Buffer): Promise<void> {
  await sql.query(
    `with newcomer as (
       insert into users (email, password_hash, first_name, last_name, phone, state, role)
       values ('maria@example.com', 'none', 'Maria', 'Santiago', '6195550134', 'Texas', 'USER')
       returning id),
     opened as (
       insert into sessions (user_id, idle_limit, last_seen_at, expires_at)
       select id, '1 hour', now() + interval '1 day', now() + interval '1 day' from newcomer
       returning id)
     insert into session_tokens (session_id, access_hash, access_expires_at, refresh_hash)
     select id, $1, now() + interval '1 day', $1 from opened`,
    [accessHash],
  )
}
