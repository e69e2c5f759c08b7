import type { PageBrand } from '@guidon/contract/brand'
import type { CaseManager } from '@guidon/contract/case-manager'
import { shownPhone } from '../../ui/phone.ts'

export interface ShownCaseManager extends CaseManager {
  /** False until the provider assigns a case manager. */
  assigned: boolean
}

/** The case manager, or the provider's contact until one is assigned. */
export function shownCaseManager(
  caseManager: CaseManager | null,
  brand: Pick<PageBrand, 'informationEmail' | 'phone'>,
): ShownCaseManager {
  if (caseManager) {
    const phone = caseManager.phone && shownPhone(caseManager.phone)
    return { ...caseManager, phone, assigned: true }
  }
  return {
    assigned: false,
    name: 'Awaiting Case Manager',
    email: brand.informationEmail,
    phone: brand.phone,
  }
}

/** `Dana van Okafor` → `DO`. */
export function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean)
  return [words[0], words.length > 1 && words.at(-1)]
    .map((word) => (word ? Array.from(word)[0] : ''))
    .join('')
    .toUpperCase()
}
