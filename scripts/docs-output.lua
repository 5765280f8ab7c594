-- SPDX-License-Identifier: Apache-2.0
-- touchstone lua docs-output.lua --check|--update SOURCE-TREE WORK-FOLDER PAGE...
--
-- Runs the commands of documents and compares or updates their output; scripts/docs-output.sh prepares it. A page's
-- commands run in the order of the page, in one folder, so that a command may use a file of an earlier one.
--
--   ```console [lines=LIST] [varying]    "$ COMMAND", then its output; several commands may follow each other
--   ```sh run                            each line is a command; its output is not shown, its exit status is 0 or 1
--   <!-- run: COMMAND -->                the same, invisible in the document
--
-- lines=1:2,5,-3:-1 shows only these lines of the output; "..." stands for those that are left out. Digests, and
-- times and rates in parentheses, may differ. With `varying`, every number may differ.
local mode, source, work = ...
local pages = { select(4, ...) }
local problems = 0

local function problem(...)
  problems = problems + 1
  print(string.format(...))
end

local function read_lines(path)
  local lines = {}
  local file = assert(io.open(path))
  for line in file:lines() do lines[#lines + 1] = line end
  file:close()
  return lines
end

-- Run a command; return the lines that it prints and its exit status.
local function execute(folder, command)
  local quoted = "'" .. command:gsub("'", "'\\''") .. "'"
  local pipe = assert(io.popen(("cd '%s' && timeout 300 bash -c %s 2>&1 </dev/null"):format(folder, quoted)))
  local lines = {}
  for line in pipe:lines() do lines[#lines + 1] = (line:gsub("%s+$", "")) end
  local _, _, status = pipe:close()
  return lines, status
end

-- The lines that LIST names, "..." for each gap.
local function selected(lines, list)
  if not list then return lines end
  local shown, last = {}, 0
  for part in list:gmatch("[^,]+") do
    local first, to = part:match("^(-?%d+):?(-?%d*)$")
    assert(first, "lines=" .. list .. ": expected numbers and ranges such as 1:2,5,-3:-1")
    first, to = tonumber(first), tonumber(to ~= "" and to or first)
    if first < 0 then first = #lines + 1 + first end
    if to < 0 then to = #lines + 1 + to end
    if first > last + 1 then shown[#shown + 1] = "..." end
    for i = math.max(first, last + 1), to do shown[#shown + 1] = lines[i] end
    last = math.max(last, to)
  end
  if last < #lines then shown[#shown + 1] = "..." end
  return shown
end

-- A line without what differs from run to run.
local function normal(line, varying)
  line = line:gsub("%([%d.]+ m?s[^)]*%)", "(T)"):gsub("%+0x%x+", "+0xN")
  line = line:gsub("%f[%x]" .. ("%x"):rep(32) .. "%f[%X]", "DIGEST")
  if varying then
    line = line:gsub(("%x"):rep(8) .. "%x*", "N"):gsub("%d[%d.,:]*", "N"):gsub("N[N:.,]*", "N"):gsub(" +", " ")
  end
  return line
end

local function same(a, b, varying)
  if #a ~= #b then return false end
  for i = 1, #a do
    if normal(a[i], varying) ~= normal(b[i], varying) then return false end
  end
  return true
end

-- Run the commands of a console block; return the block as it should be.
local function run_block(place, folder, block, info)
  local list, varying = info:match("lines=(%S+)"), info:find("varying", 1, true)
  local result, at = {}, 1
  while at <= #block do
    local command = block[at]:match("^%$ (.+)$")
    assert(command, place .. ": expected a line that begins with '$ '")
    result[#result + 1] = block[at]
    at = at + 1
    local old = {}
    while block[at] and not block[at]:find("^%$ ") do
      old[#old + 1] = block[at]
      at = at + 1
    end
    local printed, status = execute(folder, command)
    if status == 127 or status == 124 then problem("%s: '%s' ended with status %d", place, command, status) end
    local new = selected(printed, list)
    local right = same(old, new, varying)
    if not right and mode == "--check" then
      problem("%s: $ %s\n  in the document:\n    %s\n  printed:\n    %s", place, command, table.concat(old, "\n    "),
              table.concat(new, "\n    "))
    end
    table.move(right and old or new, 1, right and #old or #new, #result + 1, result)
  end
  return result
end

local function run_silently(place, folder, command)
  local lines, status = execute(folder, command)
  if status > 1 then
    problem("%s: '%s' ended with status %d: %s", place, command, status, table.concat(lines, "\n    "))
  end
end

-- ---- links ---------------------------------------------------------------------------------------------------------

local function exists(path)
  local file = io.open(path)
  if file then file:close() end
  return file ~= nil
end

-- The anchors of a page's headings, as code hosts make them.
local function anchors(path)
  local found, fenced = {}, false
  for _, line in ipairs(read_lines(path)) do
    if line:find("^```") then fenced = not fenced end
    local heading = not fenced and line:match("^#+ +(.*)$")
    if heading then found[heading:lower():gsub("[^%w%s_-]", ""):gsub("%s", "-")] = true end
  end
  return found
end

local function check_links(page, lines)
  local folder, fenced = page:match("^(.*/)") or "", false
  for number, line in ipairs(lines) do
    if line:find("^```") then fenced = not fenced end
    local text = fenced and "" or line:gsub("`[^`]*`", "")
    for target in text:gmatch("%]%(([^)%s]+)%)") do
      if not target:find("^%a+:") then
        local path, anchor = target:match("^([^#]*)#?(.*)$")
        path = source .. "/" .. (path == "" and page or folder .. path)
        if not exists(path) then
          problem("%s:%d: %s: no such file", page, number, target)
        elseif anchor ~= "" and path:find("%.md$") and not anchors(path)[anchor] then
          problem("%s:%d: %s: no such heading", page, number, target)
        end
      end
    end
  end
end

-- ---- pages ---------------------------------------------------------------------------------------------------------

-- A folder in which a page's commands run: links to what the source tree holds.
local function make_folder(number)
  local folder = ("%s/%d"):format(work, number)
  assert(os.execute(("mkdir '%s' && ln -s '%s'/* '%s'"):format(folder, source, folder)))
  return folder
end

local function do_page(number, page)
  local path = source .. "/" .. page
  local lines, result = read_lines(path), {}
  local folder = make_folder(number)
  check_links(page, lines)
  local at = 1
  while at <= #lines do
    local line, place = lines[at], ("%s:%d"):format(page, at)
    result[#result + 1] = line
    at = at + 1
    local hidden = line:match("^<!%-%- run: (.*) %-%->$")
    if hidden then run_silently(place, folder, hidden) end
    local info = line:match("^```(.*)$")
    if info then
      local block = {}
      while lines[at] and lines[at] ~= "```" do
        block[#block + 1] = lines[at]
        at = at + 1
      end
      if info:find("^console") then
        block = run_block(place, folder, block, info)
      elseif info == "sh run" then
        for _, command in ipairs(block) do run_silently(place, folder, command) end
      end
      table.move(block, 1, #block, #result + 1, result)
      result[#result + 1] = lines[at]
      at = at + 1
    end
  end
  if mode == "--update" then
    local file = assert(io.open(path, "w"))
    file:write(table.concat(result, "\n"), "\n")
    file:close()
  end
end

for number, page in ipairs(pages) do do_page(number, page) end
print(("%d pages, %d problems"):format(#pages, problems))
os.exit(problems == 0 and 0 or 1)
