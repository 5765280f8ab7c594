# SPDX-License-Identifier: Apache-2.0
"""What the scripts share that hold the reference against the answers of others: numpy's arrays as records, which
`touchstone eval --json` evaluates."""
import json
import subprocess

MOST_DIMENSIONS = 8  # of DirectML's tensors


class CannotExpress(Exception):
    pass


def padded(shape, rank):
    """Ones in front of the sizes; a scalar has one dimension."""
    if max(rank, len(shape)) > MOST_DIMENSIONS:
        raise CannotExpress(f"more than {MOST_DIMENSIONS} dimensions")
    if 0 in shape:
        raise CannotExpress("DirectML has no empty tensors")
    return [1] * (max(rank, 1) - len(shape)) + list(shape)


def dml_tensor(array, rank=0, strided=False):
    """A tensor of DirectML; `strided`: with the strides that numpy's view has."""
    kind, bits = array.dtype.kind, 8 * array.itemsize
    tensor = {"DataType": {"f": "FLOAT", "i": "INT", "u": "UINT"}[kind] + str(bits), "Sizes": padded(array.shape, rank)}
    if strided:
        tensor["Strides"] = [step // array.itemsize for step in array.strides] or [1]
    return tensor


def openvino_tensor(array):
    return {"type": array.dtype.kind + str(8 * array.itemsize), "shape": list(array.shape)}


def raw(array):
    return {"raw": array.tobytes().hex()}


def record(operator, descriptor, inputs, output, name=""):
    """The record, with the array that is expected as its output."""
    return {"operator": operator, "descriptor": descriptor, "inputs": inputs, "output": output, "name": name}


ELEMENTS = {"dml.gather_elements": ("InputTensor", "IndicesTensor"),
            "dml.scatter_elements": ("InputTensor", "IndicesTensor", "UpdatesTensor")}


def elements(operator, inputs, axis, output, name=""):
    """GATHER_ELEMENTS of data and indices, or SCATTER_ELEMENTS of these and updates."""
    given = dict(zip(ELEMENTS[operator], inputs))
    descriptor = {tensor: dml_tensor(array) for tensor, array in given.items()}
    descriptor |= {"OutputTensor": dml_tensor(output), "Axis": axis % inputs[0].ndim}
    return record(operator, descriptor, {tensor: raw(array) for tensor, array in given.items()}, output, name)


def evaluate(touchstone, records):
    """What the program gives for the records, each with the problem: what is wrong with it, or None."""
    given = [{key: r[key] for key in ("operator", "descriptor", "inputs", "name")} for r in records]
    done = subprocess.run([touchstone, "eval", "--json", "-"], input=json.dumps(given), text=True,
                          stdout=subprocess.PIPE, check=False)
    results = json.loads(done.stdout)
    assert len(results) == len(records), f"{len(results)} results of {len(records)} records"
    return [problem(result, r) for result, r in zip(results, records)]


def problem(result, asked):
    """Sizes that the record does not state are inferred by the program."""
    if result["status"] != "ok":
        return f"{result['status']}: {result['violations']}"
    output, expected = result["outputs"][0], asked["output"]
    sizes = asked["descriptor"].get("OutputTensor", {"Sizes": list(expected.shape)})["Sizes"]
    if output["sizes"] != sizes:
        return f"the output has the sizes {output['sizes']}, expected {sizes}"
    return None if output["raw"] == expected.tobytes().hex() else "the output has other bits than expected"
