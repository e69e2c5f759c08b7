import type { Client } from 'pg'
import { report } from './figures.ts'
import { withoutIndexes } from './kept-rows.ts'
import type { Rows } from './kept-rows.ts'

/** Names by how common they are, the most common first. */

const FIRST_NAMES = words(`
  James Robert John Michael David William Richard Joseph Thomas Christopher Charles Daniel Matthew Anthony Mark Donald
  Steven Andrew Paul Joshua Kenneth Kevin Brian Timothy Ronald Jason George Edward Jeffrey Ryan Jacob Nicholas Gary Eric
  Jonathan Stephen Larry Justin Scott Brandon Benjamin Samuel Gregory Alexander Patrick Frank Raymond Jack Dennis Jerry
  Mary Maria Patricia Jennifer Linda Elizabeth Barbara Susan Jessica Karen Sarah Lisa Nancy Sandra Betty Ashley Emily
  Kimberly Margaret Donna Michelle Carol Amanda Melissa Deborah Stephanie Rebecca Sharon Laura Cynthia Dorothy Amy
  Kathleen Angela Shirley Emma Brenda Pamela Nicole Anna Samantha Katherine Christine Helen Debra Rachel Carolyn Janet
  Tyler Aaron Jose Adam Nathan Henry Zachary Douglas Peter Kyle Noah Ethan Jeremy Christian Walter Keith Austin Roger
  Terry Sean Gerald Carl Dylan Harold Jordan Jesse Bryan Lawrence Arthur Gabriel Bruce Logan Billy Joe Alan Juan Elijah
  Willie Albert Wayne Randy Mason Vincent Liam Roy Bobby Caleb Bradley Russell Lucas Luis Carlos Miguel Angel Ana Rosa
  Denise Theresa Yolanda Guadalupe Xavier Quincy Ulysses Zelda Ingrid Thaddeus Octavio Wendell Hiroshi Nguyen Siobhan
`)

const LAST_NAMES = words(`
  Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Gonzalez Wilson Anderson
  Thomas Taylor Moore Jackson Martin Lee Perez Thompson White Harris Sanchez Clark Ramirez Lewis Robinson Walker Young
  Allen King Wright Scott Torres Nguyen Hill Flores Green Adams Nelson Baker Hall Rivera Campbell Mitchell Carter
  Roberts Gomez Phillips Evans Turner Diaz Parker Cruz Edwards Collins Reyes Stewart Morris Morales Murphy Cook Rogers
  Gutierrez Ortiz Morgan Cooper Peterson Bailey Reed Kelly Howard Ramos Kim Cox Ward Richardson Watson Brooks Chavez
  Wood James Bennett Gray Mendoza Ruiz Hughes Price Alvarez Castillo Sanders Patel Myers Long Ross Foster Jimenez
  Powell Jenkins Perry Russell Sullivan Bell Coleman Butler Henderson Barnes Gonzales Fisher Vasquez Simmons Romero
  Jordan Patterson Alexander Hamilton Graham Reynolds Griffin Wallace Moreno West Cole Hayes Bryant Herrera Gibson Ellis
  Tran Medina Aguilar Stevens Murray Ford Castro Marshall Owens Harrison Fernandez McDonald Woods Washington Kennedy
  Wells Vargas Henry Chen Freeman Webb Tucker Guzman Burns Crawford Olson Simpson Porter Hunter Gordon Mendez Silva
  Shaw Snyder Mason Dixon Munoz Hunt Hicks Holmes Palmer Wagner Black Robertson Boyd Rose Stone Salazar Fox Warren
  Mills Meyer Rice Schmidt Garza Daniels Ferguson Nichols Stephens Soto Weaver Ryan Gardner Payne Grant Dunn Kelley
  Spencer Hawkins Arnold Pierce Hansen Peters Santos Hart Bradley Knight Elliott Cunningham Duncan Armstrong Hudson
  Carroll Lane Riley Andrews Alvarado Ray Delgado Berry Perkins Hoffman Johnston Matthews Pena Richards Contreras
  Willis Carpenter Lawrence Sandoval Guerrero George Chapman Rios Estrada Ortega Watkins Greene Nunez Wheeler Valdez
  Harper Burke Larson Santiago Maldonado Morrison Franklin Carlson Austin Dominguez Carr Lawson Jacobs O'Brien Lynch
  Singh Vega Bishop Montgomery Oliver Jensen Harvey Williamson Gilbert Dean Sims Espinoza Howell Li Wong Reid Hanson
  Le McCoy Garrett Burton Fuller Wang Weber Welch Rojas Lucas Marquez Fields Park Yang Little Banks Padilla Day Walsh
  Bowman Schultz Luna Fowler Mejia Whitfield Prescott Okafor Brennan Fitzgerald Calderwood Langley Stanton Weston
`)

/** Rare last names are composed of these. The most common first. */
const NAME_STARTS = words(`
  Mc Ma Ha Ba Be Sch Wil Mar Har Ber Ro Sto Kr Wa Hol Bra Gra St Fri Sal Mon Whit Ald Thorn Win Kel Dun Os Lang Fitz
  Cald Gar Pres Oka Vand Kow Petr Yam Nak Iv Zieg Eck Ull Quin Xi
`)
const NAME_MIDDLES = words(
  `er an el in or ar en al is ul ad om ev iz ort und ach imb esk yl ow oub ux`,
)
const NAME_ENDINGS = words(`
  son man er s ton ley ez ski field berg ford well ard ner meyer a ell ing ham ers sen ini wood worth burn stein ette
  ano land mann ska dottir gomery quist vich zak oux yan
`)

/** The most common domains more often than once. */
const EMAIL_DOMAINS = words(`
  gmail.com gmail.com gmail.com gmail.com gmail.com gmail.com gmail.com gmail.com yahoo.com yahoo.com yahoo.com
  hotmail.com hotmail.com outlook.com outlook.com icloud.com aol.com comcast.net example.com example.org
`)

/** Random, with many of the first words and few of the last ones. */
const oftenFirst = (list: string) =>
  `(${list})[1 + floor(cardinality(${list}) * random() ^ 2.5)::int]`

const LIST_NAMES = ['first_names', 'last_names', 'starts', 'middles', 'endings', 'domains'] as const
const LISTS = [FIRST_NAMES, LAST_NAMES, NAME_STARTS, NAME_MIDDLES, NAME_ENDINGS, EMAIL_DOMAINS]
const wordOf = (name: (typeof LIST_NAMES)[number]) =>
  oftenFirst(`$${LIST_NAMES.indexOf(name) + 2}::text[]`)

/**
 * Half of the last names are common ones, the others are composed: 39,000, most of them rare. The numbers
 * in the emails are unique and as long as the number of accounts requires. Accounts were created over eight years.
 */
const INSERT = `
  insert into users (id, email, password_hash, first_name, last_name, phone, state, role, is_active,
    email_verified_at, box_folder_id, created_at)
  select uuidv7(-age),
    case when kind < 0.45 then name || '.' || surname
      when kind < 0.7 then left(name, 1) || surname
      when kind < 0.85 then name || surname
      else surname || '.' || name end || n * 7919 % ($1::bigint + 1) || '@' || domain,
    '$argon2id$' || repeat('x', 87), first, last, phone,
    (array['California', 'Texas', 'Florida', 'Ohio', 'Virginia'])[1 + n % 5],
    case when kind_of_role < 0.00002 then 'ADMIN' when kind_of_role < 0.00025 then 'STAFF' else 'USER' end,
    random() > 0.01, now() - age,
    case when is_linked then (1200000000 + n)::text end, now() - age
  from (
    select *, lower(first) as name, lower(replace(last, '''', '')) as surname
    from (
      select n, ($1::bigint - n) * interval '8 years' / $1::bigint as age,
        ${wordOf('first_names')} as first,
        case when random() < 0.5 then ${wordOf('last_names')}
          else ${wordOf('starts')} || ${wordOf('middles')} || ${wordOf('endings')} end as last,
        ${wordOf('domains')} as domain,
        (2000000000 + floor(random() * 7999999999))::bigint::text as phone,
        random() as kind, random() as kind_of_role, random() > 0.03 as is_linked
      from generate_series($8::bigint, $9::bigint) as n) as drawn) as named`

const INSERT_LINKS = `
  insert into links (user_id, contact_id, origin, state, live_at)
  select id, '0035g' || lpad((box_folder_id::bigint - 1200000000)::text, 13, '0'), 'signUp', 'live', created_at
  from users where box_folder_id::bigint between 1200000000 + $1::bigint and 1200000000 + $2::bigint`

const BATCH = 250_000

async function addAccounts(sql: Client, count: number): Promise<void> {
  await withoutIndexes(sql, ['users'], async () => {
    for (let from = 1; from <= count; from += BATCH) {
      const to = Math.min(count, from + BATCH - 1)
      await sql.query(INSERT, [count, ...LISTS, from, to])
      await sql.query(INSERT_LINKS, [from, to])
      report(`${to} of ${count} accounts added`)
    }
  })
}

/** Table and indexes of an account need less than a kilobyte. */
const ACCOUNTS_PER_GIGABYTE = 1_000_000

/** One account less than `count`, because each run adds a staff account. */
export const accountRows = (count: number): Rows => ({
  kind: 'accounts',
  size: String(count),
  files: ['account-rows.ts'],
  gigabytes: count / ACCOUNTS_PER_GIGABYTE,
  load: (sql) => addAccounts(sql, count - 1),
})

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}
