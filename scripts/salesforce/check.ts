import { join } from 'node:path'
import { checkConversion } from './convert.ts'
import { checkFields } from './fields.ts'
import { checkPermissions } from './permissions.ts'
import { checkProject } from './project.ts'
import { checkRecords } from './records.ts'
import { readSource } from './source.ts'

export const PROJECT = join(import.meta.dirname, '../../salesforce')

interface Result {
  /** Number of converted metadata components. */
  count: number
  problems: string[]
}

/** Runs all checks of the CRM's source that need no org. */
export async function check(project = PROJECT): Promise<Result> {
  const { files, problems } = readSource(project)
  const found = [
    ...problems,
    ...checkFields(files),
    ...checkPermissions(files),
    ...checkRecords(files),
    ...checkProject(project, files),
  ]
  // Do not run the converter, because its message for malformed XML does not help.
  if (problems.length > 0) return { count: 0, problems: found }
  const converted = await checkConversion(project)
  return { count: converted.count, problems: [...found, ...converted.problems] }
}

if (import.meta.main) {
  const { count, problems } = await check()
  for (const problem of problems) console.error(problem)
  console.log(`salesforce: ${count} components, ${problems.length} problems`)
  process.exitCode = problems.length === 0 && count > 0 ? 0 : 1
}
