import { readFileSync } from 'node:fs'

export type Environment = Record<string, string | undefined>

/** A variable with this suffix contains the path of a file with the value. */
const SUFFIX = '_FILE'

interface Read {
  values: Environment
  /** By the variable's name; without values, because some are secrets. */
  problems: Map<string, string>
}

/** Replaces variables that are given as files, which keep secrets out of the environment. */
export function readValueFiles(names: readonly string[], environment: Environment): Read {
  const values: Environment = { ...environment }
  const problems = new Map<string, string>()
  for (const name of names) {
    const path = environment[name + SUFFIX]
    if (!path) continue
    if (environment[name]) {
      problems.set(name, `is set twice, as ${name} and as ${name + SUFFIX}`)
      continue
    }
    try {
      values[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      problems.set(name, `cannot be read from the file that ${name + SUFFIX} names (${code})`)
    }
  }
  return { values, problems }
}
