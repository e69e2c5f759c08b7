import { hasSampleTexts, readBrand } from '../../platform/brand.ts'
import { ok, problem, warning } from './finding.ts'
import type { Subject } from './finding.ts'

export const configuration: Subject = {
  name: 'configuration',
  needs: [],
  check: async ({ problems }) => {
    if (problems.size === 0) return ok('All variables are valid.')
    const list = [...problems].map(([name, reason]) => `${name} ${reason}`)
    return problem(`${list.join('; ')}. docs/configuration.md describes the variables.`)
  },
}

export const brand: Subject = {
  name: 'brand',
  needs: ['BRAND_DIR'],
  check: async ({ config }) => {
    const { brand: read } = readBrand(config.BRAND_DIR)
    if (!hasSampleTexts(read)) return ok('The folder is valid.')
    return warning('Legal texts are still samples. Replace them: docs/operate/brand.md.')
  },
}
