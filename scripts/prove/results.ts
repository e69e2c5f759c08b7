import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Run } from './run.ts'

export const PAGE = 'docs/PROOF.md'
/** Committed, so that a run can be continued in another clone. */
const FOLDER = 'docs/proofs'

export interface Result extends Run {
  name: string
  revision: string
  /** ISO date and time of the start. */
  started: string
  seconds: number
}

/** The newest result of each proof, in `docs/proofs/<name>.json` of a repository. */
export function resultsIn(repository: string) {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trimEnd()
  // Results and their page are not part of the code that is proven.
  const everythingElse = ['--', '.', `:!${PAGE}`, `:!${FOLDER}`]
  const fileOf = (name: string) => join(repository, FOLDER, `${name}.json`)
  const newest = () =>
    new Map(
      globSync('*.json', { cwd: join(repository, FOLDER) }).map((file) => {
        const name = basename(file, '.json')
        return [name, JSON.parse(readFileSync(fileOf(name), 'utf8')) as Result]
      }),
    )

  return {
    uncommitted: () => git('status', '--porcelain', ...everythingElse),
    /** The last commit that changed more than results. */
    revision: () => git('log', '-1', '--format=%H', ...everythingElse),
    store: (result: Result) => {
      mkdirSync(join(repository, FOLDER), { recursive: true })
      writeFileSync(fileOf(result.name), `${JSON.stringify(result, null, 2)}\n`)
    },
    forget: (revision: string) => {
      for (const result of newest().values()) {
        if (result.revision === revision) rmSync(fileOf(result.name))
      }
    },
    hasPassed: (revision: string, name: string) => {
      const result = newest().get(name)
      return result?.revision === revision && result.passed
    },
    /** Of any revision. */
    newest,
  }
}

export type Results = ReturnType<typeof resultsIn>

/** Runs the proofs that have not passed yet on this revision. Returns the names of those that failed. */
export function proveAll(
  names: readonly string[],
  results: Results,
  runProof: (name: string) => Run,
): string[] {
  const revision = results.revision()
  const failed: string[] = []
  for (const name of names) {
    if (results.hasPassed(revision, name)) {
      console.log(`${name}: passed before on ${revision}`)
      continue
    }
    const start = new Date()
    const outcome = runProof(name)
    const seconds = Math.round((Date.now() - start.getTime()) / 1000)
    results.store({ name, revision, started: start.toISOString(), seconds, ...outcome })
    if (!outcome.passed) failed.push(name)
  }
  return failed
}
