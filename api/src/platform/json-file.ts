import { readFileSync } from 'node:fs'
import { OperatorError } from './operator-error.ts'

/** Reads a JSON file that an operator wrote. */
export function readJsonFile(file: string): unknown {
  const text = readFileSync(file, 'utf8')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new OperatorError(`${file} is not valid JSON: ${(error as SyntaxError).message}`)
  }
}
