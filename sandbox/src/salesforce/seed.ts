import type { Org } from './data/org.ts'
import type { MetadataRecord } from './schema/source.ts'

/** Adds the rows that every org has: staff users, and the configuration deployed with the source. */
export function seed(org: Org, records: readonly MetadataRecord[]): void {
  org.load('User', [
    {
      FirstName: 'Dana',
      LastName: 'Reyes',
      Email: 'dana.reyes@guidon.example',
      Username: 'dana.reyes@guidon.example',
      Phone: '8005550142',
      IsActive: true,
    },
    {
      FirstName: 'Marcus',
      LastName: 'Webb',
      Email: 'marcus.webb@guidon.example',
      Username: 'marcus.webb@guidon.example',
      Phone: '8005550143',
      IsActive: true,
    },
  ])
  for (const { object, name, label, values } of records) {
    const numbers = Object.entries(values).map(([field, value]) => [field, Number(value)])
    org.load(object, [
      {
        DeveloperName: name,
        MasterLabel: label,
        QualifiedApiName: name,
        ...Object.fromEntries(numbers),
      },
    ])
  }
}
