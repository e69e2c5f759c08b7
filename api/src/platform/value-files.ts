import { readFileSync } from 'node:fs'

export type Environment = Record<string, string | undefined>

/** What stands at the end of a variable's name when it holds the path of a file with the value. */
const ENDING = '_FILE'

interface Read {
  values: Environment
  /** By the variable's name; none of them tells a value. */
  problems: Map<string, string>
}

/** The environment, with the values that are given as files: a secret in a file is in no listing of processes. */
export function readValueFiles(names: readonly string[], environment: Environment): Read {
  const values: Environment = { ...environment }
  const problems = new Map<string, string>()
  for (const name of names) {
    const path = environment[name + ENDING]
    if (!path) continue
    if (environment[name]) {
      problems.set(name, `is given twice, as ${name} and as ${name + ENDING}`)
      continue
    }
    try {
      values[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      problems.set(name, `cannot be read from the file that ${name + ENDING} names (${code})`)
    }
  }
  return { values, problems }
}
