import { globSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import {
  blocksOf,
  COMMAND_LANGUAGES,
  OTHER_LANGUAGES,
  whyNotRunnable,
} from '@guidon/sandbox/page-blocks'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const pages = globSync('docs/operate/*.md', { cwd: root })
  .toSorted()
  .map((path) => ({ name: basename(path), text: readFileSync(join(root, path), 'utf8') }))
const blocks = pages.flatMap(({ name, text }) => blocksOf(name, text))
const commands = blocks.filter(({ language }) => COMMAND_LANGUAGES.includes(language))
const place = ({ page, line }: { page: string; line: number }) => `${page}:${line}`

describe('the code blocks of the pages for operators', () => {
  it('name a known language', () => {
    const known = new Set([...COMMAND_LANGUAGES, ...OTHER_LANGUAGES])
    expect(blocks.length).toBeGreaterThan(100)
    expect(blocks.filter(({ language }) => !known.has(language)).map(place)).toEqual([])
  })

  it('with commands can be run by the proof docs-commands, or say why they are not run', () => {
    const notRunnable = commands
      .filter(({ notRun }) => notRun === undefined)
      .map((block) => [place(block), whyNotRunnable(block)])
      .filter(([, reason]) => reason !== undefined)
    expect(notRunnable).toEqual([])
  })

  it('are not marked "needs a Docker engine" if the proof can run them without one', () => {
    const wrong = commands.filter(
      (block) =>
        block.notRun?.startsWith('needs a Docker engine') &&
        block.text.includes('docker compose') &&
        whyNotRunnable(block) === undefined,
    )
    expect(wrong.map(place)).toEqual([])
  })

  it('have a "not run" mark only where there is a command, with a reason', () => {
    const marks = pages.flatMap(({ text }) => text.match(/<!--\s*not run/g) ?? [])
    const marked = commands.filter(({ notRun }) => notRun !== undefined)
    expect(marked).toHaveLength(marks.length)
    expect(marked.filter(({ notRun }) => notRun!.length < 10).map(place)).toEqual([])
  })
})

describe('blocksOf', () => {
  it('returns a block with its mark, without its indentation, and with what the page shows after it', () => {
    const page = ['1. Do it.', '', '   <!-- not run: needs a cluster -->', '', '   ```sh']
    const rest = ['   one', '     two', '   ```', '', '   You should see: `done', '   now.`']
    expect(blocksOf('x.md', [...page, ...rest].join('\n'))).toEqual([
      {
        page: 'x.md',
        line: 5,
        language: 'sh',
        text: 'one\n  two',
        notRun: 'needs a cluster',
        shows: 'done now.',
      },
    ])
  })

  it.each([
    ['docker compose -f deploy/compose.yaml run --rm admin <command>', 'has a placeholder'],
    ['docker compose -f deploy/compose.yaml build api-1', 'needs a Docker engine for'],
    ['docker build .', 'needs a Docker engine'],
    ['kubectl apply --filename x', 'needs a cluster'],
    ['npm run admin -- jobs [--json]', 'has a placeholder'],
    ['docker compose -f deploy/compose.yaml up --detach', 'can be run'],
    ['npm run admin -- jobs', 'can be run'],
  ])('knows whether the proof can run %s', (text, reason) => {
    const why = whyNotRunnable(blocksOf('x.md', `\`\`\`sh\n${text}\n\`\`\``)[0]!)
    expect(why ?? 'can be run').toContain(reason)
  })
})
