import type { Condition, ConditionWithValueQuery, WhereClause } from '@jetstreamapp/soql-parser-js'
import { apiError } from '../errors.ts'

export interface Test {
  kind: 'test'
  field: string
  operator: string
  values: string[]
  literals: string[]
}

export type Tree = Test | { kind: 'and' | 'or'; parts: Tree[] } | { kind: 'not'; part: Tree }

type Token = '(' | ')' | 'AND' | 'OR' | 'NOT' | Test

/** Builds a tree from the parser's chain of conditions with counted parentheses. */
export function treeOf(where: WhereClause): Tree {
  const tokens = [...tokensOf(where)]
  let at = 0

  function chain(): Tree {
    const parts = [unary()]
    const operator = tokens[at]
    while (tokens[at] === 'AND' || tokens[at] === 'OR') {
      // As in Salesforce, AND and OR have no precedence.
      if (tokens[at] !== operator) throw malformed('AND and OR need parentheses between them')
      at += 1
      parts.push(unary())
    }
    return parts.length === 1 ? parts[0]! : { kind: operator === 'OR' ? 'or' : 'and', parts }
  }

  function unary(): Tree {
    const token = tokens[at]
    at += 1
    if (token === 'NOT') return { kind: 'not', part: unary() }
    if (token === '(') {
      const inner = chain()
      if (tokens[at] !== ')') throw malformed('a parenthesis is not closed')
      at += 1
      return inner
    }
    if (typeof token !== 'object') throw malformed('a condition is missing')
    return token
  }

  const tree = chain()
  if (at !== tokens.length) throw malformed('there is a parenthesis too many')
  return tree
}

function* tokensOf(where: WhereClause): Generator<Token> {
  let clause: WhereClause | undefined = where
  while (clause !== undefined) {
    const { left } = clause
    const { openParen = 0, closeParen = 0 } = (left ?? {}) as {
      openParen?: number
      closeParen?: number
    }
    for (let count = 0; count < openParen; count += 1) yield '('
    if (left !== null && 'operator' in left) yield testOf(left)
    for (let count = 0; count < closeParen; count += 1) yield ')'
    if (!('operator' in clause)) return
    yield clause.operator
    clause = clause.right
  }
}

function testOf(condition: Condition | ConditionWithValueQuery): Test {
  if (!('field' in condition) || !('value' in condition)) {
    throw malformed('the sandbox does not support functions and sub-queries in WHERE')
  }
  const { field, operator, value, literalType = 'STRING' } = condition
  const values = [value].flat().map(String)
  const literals = Array.isArray(literalType) ? literalType : values.map(() => literalType)
  return { kind: 'test', field, operator, values, literals }
}

export function malformed(message: string) {
  return apiError(400, 'MALFORMED_QUERY', message)
}
