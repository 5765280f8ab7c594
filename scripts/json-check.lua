-- SPDX-License-Identifier: Apache-2.0
-- touchstone lua json-check.lua FILE CONDITION...
--
-- Reads a JSON file strictly (RFC 8259, no duplicate keys) and evaluates conditions in Lua. `r` is the content of the
-- file: 'r.outcome == "conformant"'; the global `null` stands for null. `finding_problem(f)` names what a finding
-- lacks, or returns nil. Conditions may call print. Exit status: 0; 1 a condition is false (it is printed).
local path = ...
local file = assert(io.open(path == "-" and "/dev/stdin" or path, "rb"))
local text = file:read("a")
file:close()
null = setmetatable({}, { __tostring = function() return "null" end })

local at = 1
local function stop(message)
  local _, line = text:sub(1, at):gsub("\n", "")
  error(("%s:%d: byte %d: %s"):format(path, line + 1, at, message), 0)
end
local function blank() at = text:find("[^ \t\r\n]", at) or #text + 1 end

local function string_value()
  local first, out = at + 1, {}
  local i = first
  while true do
    local j = text:find('["\\%c]', i) or stop("a string does not end")
    local c = text:sub(j, j)
    out[#out + 1] = text:sub(i, j - 1)
    if c == '"' then
      at = j + 1
      local s = table.concat(out)
      return utf8.len(s) and s or stop("a string is no UTF-8")
    elseif c ~= "\\" then
      if j and text:byte(j) == 127 then out[#out + 1], i = c, j + 1 else at = j stop("a control character in a string") end
    else
      local e = text:sub(j + 1, j + 1)
      local plain = ({ ['"'] = '"', ["\\"] = "\\", ["/"] = "/", b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" })[e]
      if plain then
        out[#out + 1], i = plain, j + 2
      else
        local hex = e == "u" and text:match("^%x%x%x%x", j + 2) or stop("a bad escape")
        local code = tonumber(hex, 16)
        local low = code // 0x400 == 0x36 and text:match("^\\u(%x%x%x%x)", j + 6)
        if low then code = 0x10000 + (code - 0xD800) * 0x400 + tonumber(low, 16) - 0xDC00 end
        out[#out + 1], i = utf8.char(code), j + (low and 12 or 6)
      end
    end
  end
end

local value
local function list()
  local t = {}
  at = at + 1
  blank()
  if text:sub(at, at) == "]" then at = at + 1 return t end
  while true do
    t[#t + 1] = value()
    blank()
    local c = text:sub(at, at)
    at = at + 1
    if c == "]" then return t elseif c ~= "," then stop("expected , or ]") end
  end
end
local function object()
  local t = {}
  at = at + 1
  blank()
  if text:sub(at, at) == "}" then at = at + 1 return t end
  while true do
    blank()
    if text:sub(at, at) ~= '"' then stop("expected a key") end
    local key = string_value()
    if t[key] ~= nil then stop("the key " .. key .. " is there twice") end
    blank()
    if text:sub(at, at) ~= ":" then stop("expected :") end
    at = at + 1
    t[key] = value()
    blank()
    local c = text:sub(at, at)
    at = at + 1
    if c == "}" then return t elseif c ~= "," then stop("expected , or }") end
  end
end
function value()
  blank()
  local c = text:sub(at, at)
  if c == "{" then return object() elseif c == "[" then return list() elseif c == '"' then return string_value() end
  for word, v in pairs { ["true"] = true, ["false"] = false, ["null"] = null } do
    if text:sub(at, at + #word - 1) == word then at = at + #word return v end
  end
  local number = text:match("^-?%d+%.?%d*[eE]?[+-]?%d*", at)
  if not number or number:find("^-?0%d") or number:find("[%.eE+-]$") then stop("no value") end
  at = at + #number
  return tonumber(number)
end

r = value()
blank()
if at <= #text then stop("something follows the value") end

-- What does a finding lack?
function finding_problem(f)
  local function given(key) return type(f[key]) == "string" and f[key] ~= "" end
  for _, key in ipairs { "case", "verdict", "detail", "reproducer" } do
    if not given(key) then return "no " .. key end
  end
  local whole = f.detail:find("The command repeats the whole run.", 1, true)
  if not whole and not f.reproducer:find(f.case, 1, true) then return "the reproducer does not name the case" end
  local judged = f.verdict == "mismatch" or f.verdict == "nondeterministic" or f.verdict == "modified-input"
  if judged and f.differing ~= null and f.differing > 0 then
    for _, key in ipairs { "tensor", "element", "expected", "actual" } do
      if not given(key) then return "no " .. key end
      if not (f.detail:find(f[key], 1, true)) then return "the detail does not contain the " .. key end
    end
    -- One value, or several that are right.
    local expected = f.expected:find("^0x%x+ %(") or f.expected:find("^one of 0x%x+ %(.+%), 0x%x+ %(")
    if not (expected and f.actual:find("^0x%x+ %(")) then return "no bits with their values" end
    if f.expected == f.actual then return "expected and actual are the same" end
  elseif f.verdict == "mismatch" and not (given "expected" and given "actual" and given "tensor") then
    return "no sizes" -- of an inferred shape
  elseif f.verdict:find("-outside", 1, true) and not (given "tensor" and f.detail:find(f.tensor, 1, true)) then
    return "not where"
  end
  if (f.verdict == "mismatch" or f.verdict == "accepted-invalid" or f.verdict:find("-outside", 1, true)) and
      not (given "clause" or f.case:find("^openvino") and f.verdict ~= "mismatch") then
    return "no clause"
  end
end

local held = true
for i = 2, select("#", ...) do
  local condition = select(i, ...)
  local f = assert(load("return " .. condition, "=" .. condition) or load(condition, "=" .. condition))
  local ok, result = pcall(f)
  if not ok or not result then
    held = false
    io.stderr:write(path, ": false: ", condition, ok and "" or " (" .. tostring(result) .. ")", "\n")
  end
end
os.exit(held and 0 or 1)
