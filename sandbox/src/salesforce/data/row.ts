/** A timestamp is stored in milliseconds, so that a million of them compare quickly. */
export type Value = string | number | boolean | null

export interface Row {
  readonly id: string
  values: Record<string, Value>
  stamp: number
  created: number
  deleted: boolean
}

export function valueOf(row: Row, field: string): Value {
  switch (field) {
    case 'Id':
      return row.id
    case 'SystemModstamp':
    case 'LastModifiedDate':
      return row.stamp
    case 'CreatedDate':
      return row.created
    case 'IsDeleted':
      return row.deleted
    default:
      return row.values[field] ?? null
  }
}
