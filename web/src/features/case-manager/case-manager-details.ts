import type { PageBrand } from '@guidon/contract/brand'
import type { CaseManager } from '@guidon/contract/case-manager'
import { phoneText } from '../../ui/phone.ts'

export interface CaseManagerDetails extends CaseManager {
  /** False until the provider assigns a case manager. */
  assigned: boolean
}

/** The case manager, or the provider's contact until one is assigned. */
export function caseManagerDetails(
  caseManager: CaseManager | null,
  brand: Pick<PageBrand, 'informationEmail' | 'phone'>,
): CaseManagerDetails {
  if (caseManager) {
    const phone = caseManager.phone && phoneText(caseManager.phone)
    return { ...caseManager, phone, assigned: true }
  }
  return {
    assigned: false,
    name: 'Awaiting Case Manager',
    email: brand.informationEmail,
    phone: brand.phone,
  }
}

const ASK = 'Reach out whenever you have a question.'

/** `caseManager`: null if none is assigned, undefined if that is not known. */
export function introText(caseManager: CaseManager | null | undefined): string {
  if (caseManager === undefined) return ASK
  return caseManager
    ? `Your case manager guides your claim from start to finish. ${ASK}`
    : 'We are assigning your case manager. Until then, anyone at our office can help you.'
}

/** `Dana van Okafor` → `DO`. */
export function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean)
  return [words[0], words.length > 1 && words.at(-1)]
    .map((word) => (word ? Array.from(word)[0] : ''))
    .join('')
    .toUpperCase()
}
