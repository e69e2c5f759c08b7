import { stateRule, type LegalNotice } from '@guidon/contract/legal'
import { NEVER_ASKED } from '@guidon/contract/trust'
import { createContext, useContext, useState } from 'react'
import { brand } from './brand.ts'
import { CrisisLine } from './CrisisLine.tsx'
import { OutsideLink } from './OutsideLink.tsx'
import { withClass } from './with-class.ts'
import css from './Footer.module.css'

const Lines = withClass('footer', css['lines'])

/** The state of the signed-in veteran, whose law may require a notice. */
export const VeteranState = createContext<string | undefined>(undefined)

function Legal({ text, link }: LegalNotice) {
  return (
    <p>
      {text} {link && <OutsideLink href={link.url}>{link.label}</OutsideLink>}
    </p>
  )
}

export function Footer() {
  const [year] = useState(() => new Date().getFullYear())
  const { legal, name } = brand
  const stateNotice = stateRule(legal, useContext(VeteranState))?.notice
  return (
    <Lines>
      <CrisisLine />
      {legal.notice && <Legal {...legal.notice} />}
      {stateNotice && <Legal {...stateNotice} />}
      <p>{NEVER_ASKED}</p>
      <p>
        © {year} {name}. All Rights Reserved
      </p>
    </Lines>
  )
}
