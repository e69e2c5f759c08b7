import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// The library would keep a log in the home folder of whoever runs the check; it decides that when loaded.
process.env['SF_DISABLE_LOG_FILE'] ??= 'true'
const { ComponentSet, MetadataConverter } = await import('@salesforce/source-deploy-retrieve')

/** Parses and converts the source with the program that deploys it; nothing leaves the machine. */
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
