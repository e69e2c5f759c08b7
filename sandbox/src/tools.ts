import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'

interface Tool {
  command: string
  directories: readonly string[]
  debian: string
  /** Without it, the tool exists on Linux only. */
  homebrew?: string
}

/** The fixed PATH of the tools with which the API reads files. */
const API_DIRECTORIES = ['/usr/local/bin', '/usr/bin', '/bin']

/** Debian installs clamd where the PATH of an ordinary user does not look; the last one is Homebrew's. */
export const CLAMD_DIRECTORIES = [
  '/usr/local/sbin',
  '/usr/sbin',
  '/usr/local/bin',
  '/usr/bin',
  '/opt/homebrew/sbin',
]

const CLAMD: Tool = {
  command: 'clamd',
  directories: CLAMD_DIRECTORIES,
  debian: 'clamav-daemon',
  homebrew: 'clamav',
}

/** The API cannot check files without all of these. */
const UPLOAD_TOOLS: readonly Tool[] = [
  CLAMD,
  { command: 'prlimit', directories: API_DIRECTORIES, debian: 'util-linux' },
  { command: 'qpdf', directories: API_DIRECTORIES, debian: 'qpdf', homebrew: 'qpdf' },
  {
    command: 'pdfinfo',
    directories: API_DIRECTORIES,
    debian: 'poppler-utils',
    homebrew: 'poppler',
  },
]

/** The names of the tools that uploads need and that are not installed. */
export function missingUploadTools(directories?: readonly string[]): string[] {
  return UPLOAD_TOOLS.filter((tool) => !isInstalled(tool, directories ?? tool.directories)).map(
    ({ command }) => command,
  )
}

function isInstalled({ command }: Tool, directories: readonly string[]): boolean {
  return directories.some((directory) => {
    try {
      accessSync(join(directory, command), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** One line: what is missing, what does not work without it, and how to install it. */
export function missingToolsLine(missing: readonly string[], platform = process.platform): string {
  return `Missing: ${missing.join(', ')}. Every upload is refused, because no file is accepted unchecked. ${installHint(missing, platform)}`
}

export function installHint(missing: readonly string[], platform = process.platform): string {
  const tools = UPLOAD_TOOLS.filter(({ command }) => missing.includes(command))
  if (platform === 'linux') {
    const packages = tools.map(({ debian }) => debian).join(' ')
    return `To install on Debian: apt-get install ${packages}.`
  }
  const formulas = tools.flatMap(({ homebrew }) => homebrew ?? [])
  const install =
    formulas.length === 0 ? '' : `To install with Homebrew: brew install ${formulas.join(' ')}. `
  const linuxOnly = tools.filter(({ homebrew }) => homebrew === undefined)
  if (linuxOnly.length === 0) return install.trim()
  const names = linuxOnly.map(({ command }) => command).join(', ')
  return `${install}${names} exists on Linux only: to try uploads, run Guidon on Linux or in a Linux container.`
}
