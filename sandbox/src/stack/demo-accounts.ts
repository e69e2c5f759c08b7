export interface Account {
  email: string
  password: string
  firstName: string
  lastName: string
  phone: string
  state: string
  role: 'ADMIN' | 'STAFF' | 'USER'
}

/** Public in this repository: for development and tests only. */
const DEMO_PASSWORD = 'Copper7!lantern-harbor'

function account(
  role: Account['role'],
  [firstName, lastName]: [string, string],
  email: string,
  phone: string,
  state: string,
): Account {
  return { email, password: DEMO_PASSWORD, firstName, lastName, phone, state, role }
}

// The numbers 555-0100 to 555-0199 are reserved for fiction; mail to example domains goes nowhere.
export const DEMO_ACCOUNTS: readonly Account[] = [
  account('ADMIN', ['Dana', 'Okafor'], 'dana.okafor@guidon.example', '5125550101', 'Texas'),
  account('STAFF', ['Tom', 'Becker'], 'tom.becker@guidon.example', '6145550102', 'Ohio'),
  account(
    'USER',
    ['James', 'Whitfield'],
    'james.whitfield@example.com',
    '9105550103',
    'North Carolina',
  ),
  account('USER', ['Maria', 'Alvarez'], 'maria.alvarez@example.com', '6195550104', 'California'),
  account('USER', ['Robert', 'Santiago'], 'robert.santiago@example.com', '4075550105', 'Florida'),
  account('USER', ['Denise', 'Carter'], 'denise.carter@example.com', '3125550106', 'Illinois'),
]
