/** One code block of a page for operators. */
export interface Block {
  page: string
  line: number
  language: string
  text: string
  /** Why it is not run, from a comment `<!-- not run: … -->` before the block. */
  notRun: string | undefined
  /** What the page says that the operator should see. */
  shows: string | undefined
}

/** `npm run prove -- docs-commands` runs these. */
export const COMMAND_LANGUAGES = ['sh', 'sql']
/** Content of files, and output. */
export const OTHER_LANGUAGES = ['ini', 'json', 'text', 'yaml']

const FENCE = /^( *)```(\w*)$/
const MARK = /^ *<!-- not run: (.+) -->$/
const SHOWN = /^\s*You should see(?: only)?:?\s+`([^`]+)`/

export function blocksOf(page: string, markdown: string): Block[] {
  const lines = markdown.split('\n')
  const blocks: Block[] = []
  for (let start = 0; start < lines.length; start += 1) {
    const [, indent = '', language = ''] = FENCE.exec(lines[start]!) ?? []
    if (!FENCE.test(lines[start]!)) continue
    const end = lines.findIndex((line, index) => index > start && line.trim() === '```')
    if (end === -1) throw new Error(`${page}:${start + 1}: the block does not end`)
    // The formatter puts an empty line between the comment and the block.
    const before = lines.slice(0, start).findLast((line) => line.trim() !== '') ?? ''
    blocks.push({
      page,
      line: start + 1,
      language,
      text: lines
        .slice(start + 1, end)
        .map((line) => line.slice(indent.length))
        .join('\n'),
      notRun: MARK.exec(before)?.[1],
      shows: SHOWN.exec(lines.slice(end + 1).join('\n'))?.[1]?.replaceAll(/\s+/g, ' '),
    })
    start = end
  }
  return blocks
}

/** The commands of `docker compose` that the proof can run without a Docker engine. */
export const COMPOSE_COMMANDS = [
  'down',
  'exec',
  'kill',
  'logs',
  'ps',
  'restart',
  'run',
  'start',
  'stop',
  'up',
]
const COMPOSE_OPTIONS = String.raw`(?: (?:-f|--env-file|--profile) \S+)*`

/** Why the proof cannot run the block; undefined if it can. */
export function whyNotRunnable({ text }: Block): string | undefined {
  if (/<[a-z]|\[--|…|\bUSER\|STAFF/.test(text)) return 'has a placeholder'
  if (/kubectl (?!kustomize)/.test(text)) return 'needs a cluster'
  for (const [command] of text.matchAll(/\bdocker(?: \S+)/g)) {
    if (command !== 'docker compose') return 'needs a Docker engine'
  }
  const compose = new RegExp(`docker compose${COMPOSE_OPTIONS} (\\S+)`, 'g')
  const unknown = [...text.matchAll(compose)].find(
    ([, name = '']) => !COMPOSE_COMMANDS.includes(name),
  )
  return unknown && `needs a Docker engine for ${unknown[0]}`
}
