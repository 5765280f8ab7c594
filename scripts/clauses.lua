-- SPDX-License-Identifier: Apache-2.0
-- touchstone lua scripts/clauses.lua: print docs/clauses.md, the basis and ground of every clause of every operator.

local function cell(text) return (tostring(text or ""):gsub("|", "\\|")) end

local function place(c)
  return c.section and c.section ~= "" and c.page .. ", " .. c.section or c.page
end

local function ground(c)
  local parts = {}
  if c.basis == "stated" then parts[1] = place(c) else parts[1] = c.ground or place(c) end
  if c.refused_by then parts[#parts + 1] = c.refused_by .. " refuses it" end
  if c.computes then parts[#parts + 1] = "executed" end
  if c.entry then parts[#parts + 1] = "ledger: " .. c.entry end
  return table.concat(parts, "; ")
end

-- Sum the clauses of an operator by their basis: "12 stated, 3 implied, 1 decided".
local function summary(clauses)
  local count, parts = {}, {}
  for _, c in ipairs(clauses) do count[c.basis] = (count[c.basis] or 0) + 1 end
  for _, basis in ipairs { "stated", "implied", "decided", "observed" } do
    if count[basis] then parts[#parts + 1] = count[basis] .. " " .. basis end
  end
  return table.concat(parts, ", ")
end

local shared = {} -- clauses printed once, by specification: id and text

local function own(op)
  local list = {}
  for _, c in ipairs(op.clauses) do
    if not shared[c.id .. c.text] then list[#list + 1] = c end
  end
  return list
end

local function print_table(title, clauses)
  print("\n### " .. title .. "\n\n" .. summary(clauses) .. "\n")
  print("| clause | what it says | basis | ground |\n|---|---|---|---|")
  for _, c in ipairs(clauses) do
    print(("| %s | %s | %s | %s |"):format(c.id, cell(c.text), c.basis, cell(ground(c))))
  end
end

local function share(title, op, prefix)
  local list = {}
  for _, c in ipairs(ts.operator(op).clauses) do
    if c.id:find(prefix) then
      list[#list + 1] = c
      shared[c.id .. c.text] = true
    end
  end
  print_table(title, list)
end

print [[
# Every clause, its basis and its ground

`touchstone lua scripts/clauses.lua` prints this page.

Only a clause that is *stated* or *implied* can fail a backend, or make a descriptor invalid. A case that breaks another
one is `ambiguous`, and the answer is recorded. Where the ground says *executed*, the reference computes what such a
descriptor means, plainly or by our decision: the case has data, and the values of a backend that accepts it are recorded,
too. Elsewhere the backend is only asked whether it accepts the descriptor; so it is where a tensor has more than 2^20
elements or bytes. A clause about data, such as an index beyond its dimension, is executed in any case.

A backend may refuse such a call. One that it accepts and executes is a call like any other, and has to keep the contract in
`backends/backend.h`: a crash, a hang, a lost device, an access outside of the tensors and a changed input fail it. What its
outputs hold fails nobody.

| basis | meaning |
|---|---|
| stated | a sentence of the page, which the ground names |
| implied | an example, a formula, several sentences or arithmetic leave one reading; the ground names them |
| decided | nothing published settles it, or editions differ: it is our decision, and open |
| observed | an implementation does it, and no page says so: open |

`--decisions=binding` of `run`, `shrink`, `compare`, `check` and `eval` lets open clauses bind, too; then what breaks one
on purpose is not executed. The crash, the hang and the other failures that are about no operator rest on the contract
(ABI-01 to ABI-06).

## Computed operators]]

local computed = {}
for _, name in ipairs(ts.operators()) do computed[name] = true end
share("DirectML: every buffer tensor and its binding", "dml.slice1", "^BUF%-")
for _, name in ipairs(ts.operators()) do
  print_table(name, own(ts.operator(name)))
end

print "\n## Operators that are only checked"
share("All of them", "dml.convolution", "^OP%-0[1-5]$")
for _, name in ipairs(ts.operators(true)) do
  if not computed[name] then
    local list = own(ts.operator(name))
    if #list > 0 then print_table(name, list) end
  end
end
