export interface Person {
  email: string
  password: string
  firstName: string
  lastName: string
  phone: string
  state: string
  role: 'ADMIN' | 'STAFF' | 'USER'
}

/** Known to everyone who can read this file: for development and tests only. */
export const DEMO_PASSWORD = 'Copper7!lantern-harbor'

function person(
  role: Person['role'],
  [firstName, lastName]: [string, string],
  email: string,
  phone: string,
  state: string,
): Person {
  return { email, password: DEMO_PASSWORD, firstName, lastName, phone, state, role }
}

// Numbers 555-0100 to 555-0199 belong to nobody; mail to example domains goes nowhere.
export const DEMO_PEOPLE: readonly Person[] = [
  person('ADMIN', ['Dana', 'Okafor'], 'dana.okafor@guidon.example', '5125550101', 'Texas'),
  person('STAFF', ['Tom', 'Becker'], 'tom.becker@guidon.example', '6145550102', 'Ohio'),
  person(
    'USER',
    ['James', 'Whitfield'],
    'james.whitfield@example.com',
    '9105550103',
    'North Carolina',
  ),
  person('USER', ['Maria', 'Alvarez'], 'maria.alvarez@example.com', '6195550104', 'California'),
  person('USER', ['Robert', 'Santiago'], 'robert.santiago@example.com', '4075550105', 'Florida'),
]
