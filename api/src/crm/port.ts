export interface KnownPerson {
  userId: string
  email: string
  lastName: string
  phone: string
}

/** The provider's system of record, in our words. */
export interface Crm {
  /** The one contact with this email and the same last name or phone; undefined for none or several. */
  findContact(person: KnownPerson): Promise<{ id: string } | undefined>
}
