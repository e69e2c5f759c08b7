import { join } from 'node:path'
import { convert } from './convert.ts'
import { checkFields } from './fields.ts'
import { checkPermissions } from './permissions.ts'
import { checkProject } from './project.ts'
import { checkRecords } from './records.ts'
import { readSource } from './source.ts'

export const PROJECT = join(import.meta.dirname, '../../salesforce')

export interface Verdict {
  /** Metadata components that were converted. */
  count: number
  problems: string[]
}

/** Everything that can be known about the CRM's source without an org. */
export async function check(project = PROJECT): Promise<Verdict> {
  const { files, problems } = readSource(project)
  const own = [
    ...problems,
    ...checkFields(files),
    ...checkPermissions(files),
    ...checkRecords(files),
    ...checkProject(project, files),
  ]
  // The converter fails on what is not XML with a message that helps nobody.
  if (problems.length > 0) return { count: 0, problems: own }
  const converted = await convert(project)
  return { count: converted.count, problems: [...own, ...converted.problems] }
}

if (import.meta.main) {
  const { count, problems } = await check()
  for (const problem of problems) console.error(problem)
  console.log(`salesforce: ${count} components, ${problems.length} problems`)
  process.exitCode = problems.length === 0 && count > 0 ? 0 : 1
}
