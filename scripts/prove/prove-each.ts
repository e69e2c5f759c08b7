import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasPassed, PAGE, pageOf, rowOf, rowsOf } from './page.ts'
import type { Product } from './product.ts'
import { proofs } from './proofs.ts'
import type { Run } from './run.ts'

/** The stored results of a repository. */
export function pageIn(repository: string) {
  const file = join(repository, PAGE)
  const rows = () => rowsOf(readFileSync(file, 'utf8'))
  return {
    rows,
    write: (changed: ReturnType<typeof rows>) => writeFileSync(file, pageOf(proofs, changed)),
  }
}

interface Options {
  product: Pick<Product, 'revision' | 'uncommitted'>
  page: ReturnType<typeof pageIn>
  runProof: (name: string) => Run
  /** Leaves out what has passed on this revision of the product. */
  skipPassed: boolean
}

/** Runs the proofs and stores each result on the page. Returns the names of those that failed. */
export function proveEach(
  names: readonly string[],
  { product, page, runProof, skipPassed }: Options,
): string[] {
  const committed = () => (product.uncommitted() === '' ? product.revision() : undefined)
  const failed: string[] = []
  for (const name of names) {
    const revision = committed()
    if (skipPassed && revision && hasPassed(page.rows().get(name), revision)) {
      console.log(`${name}: passed before on ${revision}`)
      continue
    }
    const started = new Date()
    const result = runProof(name)
    if (!result.passed) failed.push(name)
    if (revision && revision === committed()) {
      page.write(page.rows().set(name, rowOf(result, started, revision)))
    } else {
      console.log(`${name}: not stored, because the product has changes that are not committed`)
    }
  }
  return failed
}
