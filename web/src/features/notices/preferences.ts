import {
  getNoticePreferences,
  getNoticePreferencesByToken,
  setNoticePreference,
  setNoticePreferenceByToken,
  type NoticeSwitch,
} from '@guidon/contract/notices'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'

/** Of the signed-in veteran. */
export const ownPreferences = {
  query: queryOptions({
    queryKey: ['notice-preferences', 'me'],
    queryFn: ({ signal }) => call(getNoticePreferences, { signal }),
  }),
  save: (body: NoticeSwitch) => call(setNoticePreference, { body }),
}

export type PreferencesAccess = typeof ownPreferences

/** By the link in an email, without a session. */
export const preferencesByToken = (token: string): PreferencesAccess => ({
  query: queryOptions({
    queryKey: ['notice-preferences', token],
    queryFn: ({ signal }) => call(getNoticePreferencesByToken, { query: { token }, signal }),
  }),
  save: (change) => call(setNoticePreferenceByToken, { body: { token, ...change } }),
})
