import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { missingToolsLine, missingUploadTools } from './tools.ts'

const TOOLS = ['clamd', 'prlimit', 'qpdf', 'pdfinfo']

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'guidon-tools-test-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const install = (...tools: string[]) => {
  for (const tool of tools) symlinkSync(process.execPath, join(directory, tool))
}

describe('the tools that uploads need', () => {
  it('are complete when all of them are in one of the directories', () => {
    install(...TOOLS)
    expect(missingUploadTools(['/nonexistent', directory])).toEqual([])
  })

  it.each(TOOLS)('lack %s when it is not installed', (tool) => {
    install(...TOOLS.filter((other) => other !== tool))
    expect(missingUploadTools([directory])).toEqual([tool])
  })

  it('do not include a file that cannot be executed', () => {
    install('clamd', 'prlimit', 'qpdf')
    writeFileSync(join(directory, 'pdfinfo'), '', { mode: 0o644 })
    expect(missingUploadTools([directory])).toEqual(['pdfinfo'])
  })
})

describe('the line about missing tools', () => {
  it('names the effect and the Debian packages on Linux', () => {
    expect(missingToolsLine(['clamd', 'pdfinfo'], 'linux')).toBe(
      'Missing: clamd, pdfinfo. Every upload is refused, because no file is accepted unchecked. ' +
        'To install on Debian: apt-get install clamav-daemon poppler-utils.',
    )
  })

  it('names the Homebrew formulas on macOS, and that prlimit exists on Linux only', () => {
    expect(missingToolsLine(TOOLS, 'darwin')).toBe(
      'Missing: clamd, prlimit, qpdf, pdfinfo. ' +
        'Every upload is refused, because no file is accepted unchecked. ' +
        'To install with Homebrew: brew install clamav qpdf poppler. ' +
        'prlimit exists on Linux only: to try uploads, run Guidon on Linux or in a Linux container.',
    )
    expect(missingToolsLine(['prlimit'], 'darwin')).toMatch(/unchecked\. prlimit exists on Linux/)
    expect(missingToolsLine(['qpdf'], 'darwin')).toMatch(/brew install qpdf\.$/)
  })
})
