import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Set before the import, or the library would write a log file into the home folder.
process.env['SF_DISABLE_LOG_FILE'] ??= 'true'
const { ComponentSet, MetadataConverter } = await import('@salesforce/source-deploy-retrieve')

/**
 * Checks that the source can be deployed, as far as possible offline: converts it with the library of the Salesforce CLI,
 * and discards the result.
 */
export async function checkConversion(
  project: string,
): Promise<{ count: number; problems: string[] }> {
  const target = await mkdtemp(join(tmpdir(), 'guidon-salesforce-'))
  try {
    const components = ComponentSet.fromSource(join(project, 'force-app'))
    const { converted = [] } = await new MetadataConverter().convert(components, 'metadata', {
      type: 'directory',
      outputDirectory: target,
      genUniqueDir: false,
    })
    return { count: converted.length, problems: [] }
  } catch (error) {
    return { count: 0, problems: [`conversion failed: ${(error as Error).message}`] }
  } finally {
    await rm(target, { recursive: true, force: true })
  }
}
