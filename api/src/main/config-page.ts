import { variables } from './config-variables.ts'

/** `docs/configuration.md` */
export function configurationPage(): string {
  const rows = Object.entries(variables).map(([name, variable]) => {
    const fallback = variable.safeParse(undefined)
    const needed = fallback.success ? 'optional' : 'required'
    return `| \`${name}\` | ${needed} | ${variable.description} |`
  })
  return [
    '# Configuration',
    '',
    'Every process reads its configuration from the environment, once, when it starts. If variables are missing or',
    'wrong, the process lists all of them and exits. `npm run admin -- configuration` prints this page.',
    '',
    'A file can replace any variable: `TOKEN_KEY_FILE=/run/secrets/token-key` reads the value from that file, without',
    'the line break at its end. This keeps secrets out of the environment. Do not set both.',
    '',
    '| Variable |  | Meaning |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}
