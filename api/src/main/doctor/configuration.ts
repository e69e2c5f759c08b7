import { hasSampleTexts, readBrand } from '../../platform/brand.ts'
import { ok, problem, warning } from './finding.ts'
import type { Subject } from './finding.ts'

export const configuration: Subject = {
  name: 'configuration',
  needs: [],
  check: async ({ config, problems }) => {
    const list = [...problems].map(([name, reason]) => `${name} ${reason}`)
    // Optional only for workers.
    if (!config.PASSWORD_PEPPER && !problems.has('PASSWORD_PEPPER')) {
      list.push('PASSWORD_PEPPER is missing')
    }
    if (list.length === 0) return ok('All variables are valid.')
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
