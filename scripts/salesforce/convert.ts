import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Set before the import, or the library would write a log file into the home folder.
process.env['SF_DISABLE_LOG_FILE'] ??= 'true'
const { ComponentSet, MetadataConverter } = await import('@salesforce/source-deploy-retrieve')

/** Parses and converts the source offline, with the library that the Salesforce CLI uses for a deployment. */
export async function convert(project: string): Promise<{ count: number; problems: string[] }> {
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
