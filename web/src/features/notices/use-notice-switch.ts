import type { NoticePreferences, NoticeSwitch } from '@guidon/contract/notices'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { PreferencesAccess } from './preferences.ts'

/** Shows a flipped switch at once, and as it was if it cannot be saved. */
export function useNoticeSwitch(
  { query, save }: PreferencesAccess,
  { kind, on: savedOn }: NoticeSwitch,
) {
  const client = useQueryClient()
  const { queryKey } = query
  const { mutate, variables, isPending, isSuccess, error } = useMutation<
    NoticePreferences,
    Error,
    boolean
  >({
    mutationFn: async (on) => {
      try {
        return await save({ kind, on })
      } catch (failure) {
        // It may be saved, although the response was lost.
        const read = await client.fetchQuery({ ...query, staleTime: 0 }).catch(() => undefined)
        if (read?.switches.some((other) => other.kind === kind && other.on === on)) return read
        throw failure
      }
    },
    // One at a time, because each response has all switches.
    scope: { id: 'notice-preferences' },
    onSuccess: async (saved) => {
      // A read that began before would show the switch as it was.
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, saved)
    },
  })
  return {
    on: isPending ? variables : savedOn,
    flip: (on: boolean) => mutate(on),
    saving: isPending,
    /** What was saved here last. The switch may be changed elsewhere since. */
    saved: isSuccess ? variables : undefined,
    failure: error,
  }
}
