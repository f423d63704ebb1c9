"""The scenario of scenario.test.ts with Python's standard library. Prints one JSON line."""
import json
import sys
import urllib.error
import urllib.request

url = sys.argv[1]


def send(method, path, body=None, key=None):
    headers = {"content-type": "application/json"}
    if key is not None:
        headers["authorization"] = "Bearer " + key
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


key = send("POST", "/__mock/tenants", {"pets": [{"name": "Rex", "categoryId": 1}]})[1]["key"]
results = [send("PUT", "/__mock/faults", {"faults": ["rate-limit:seconds=30"]}, key)[0]]
results.append(send("GET", "/v1/pets", key=key)[0])
limited = send("GET", "/__mock/journal?status=429", key=key)[1]["entries"][0]["sequence"]
results.append(send("GET", "/__mock/explain?entry=%d" % limited)[1]["reason"])
results.append(send("POST", "/__mock/clock", {"advance": "31s"}, key)[0])
results.append(send("POST", "/v1/pets", {"name": "Otto", "categoryId": 2}, key)[1]["id"])
results.append(len(send("GET", "/v1/pets", key=key)[1]))
results.append(send("PUT", "/__mock/pets/77", {"name": "Kiwi", "categoryId": 3}, key)[1]["id"])
results.append(send("DELETE", "/__mock/pets/1", key=key)[0])
results.append([pet["name"] for pet in send("GET", "/__mock/pets", key=key)[1]["pets"]])
posts = send("GET", "/__mock/journal?method=POST&count=1&timeout=5s", key=key)[1]["entries"]
results.append(len(posts))
expectations = [{"method": "POST", "path": "/pets", "count": 1}, {"respectedRetryAfter": True}]
results.append(send("POST", "/__mock/expectations", {"expectations": expectations}, key)[0])
wrong = {"expectations": [{"method": "POST", "path": "/pet", "count": 1}]}
results.append(send("POST", "/__mock/expectations", wrong, key)[0])
saved = send("GET", "/__mock/snapshot", key=key)[1]
results.append(send("POST", "/__mock/reset", key=key)[0])
results.append(len(send("GET", "/__mock/pets", key=key)[1]["pets"]))
send("PUT", "/__mock/snapshot", saved, key)
results.append(len(send("GET", "/__mock/pets", key=key)[1]["pets"]))
print(json.dumps(results))
