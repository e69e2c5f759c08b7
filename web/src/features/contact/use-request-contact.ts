import { getContactRequest, requestContact, type ContactMethod } from '@guidon/contract/contact'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { call } from '../../api/call.ts'
import { useEarlyQuery } from '../../api/use-early-query.ts'

const contactRequestQuery = queryOptions({
  queryKey: ['contact-request'],
  queryFn: async ({ signal }) => (await call(getContactRequest, { signal })).request,
})

export function useRequestContact() {
  const client = useQueryClient()
  const { data: latest } = useEarlyQuery(contactRequestQuery)
  // A second press can come before the next render.
  const running = useRef(false)
  const { mutate, isPending, error, reset, data } = useMutation({
    mutationFn: async (method: ContactMethod) => {
      await call(requestContact, { body: { method } })
      return method
    },
    onSuccess: () => void client.invalidateQueries(contactRequestQuery),
    onSettled: () => {
      running.current = false
    },
  })
  return {
    request: (method: ContactMethod) => {
      if (running.current) return
      running.current = true
      mutate(method)
    },
    busy: isPending,
    /** The requested method, once the request has been sent. */
    sent: data,
    /** The request of this or an earlier visit, as long as the server shows it. */
    latest,
    failure: error?.message,
    reset,
  }
}
