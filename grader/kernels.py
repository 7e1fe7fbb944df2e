"""A kernel that is forked from a host, for any Jupyter client above it: a KernelProvisioner."""

import asyncio
import os
import select
import signal
from contextlib import suppress
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, Protocol, cast

import zmq
from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from jupyter_client.provisioning.factory import KernelProvisionerFactory
from jupyter_client.provisioning.provisioner_base import KernelProvisionerBase

from .errors import GraderError

LONGEST = 100  # bytes of the path of a socket, on every system
LARGEST, WAITING = 16 << 20, 32  # bytes of a kernel's message, and how many wait to be read


class Handle:
    """A process that somebody else forked: it cannot be taken for another that got its number."""

    def __init__(self, reply: dict[str, Any], files: list[int]) -> None:
        self.process, self.fd = int(reply["process"]), files[0]

    def wait(self, seconds: float) -> bool:
        """Whether it has ended, or does so within this time."""
        return bool(select.select([self.fd], [], [], seconds)[0])

    def send(self, number: int) -> None:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.fd, number)

    def close(self) -> None:
        os.close(self.fd)


class Forks(Protocol):
    """What a kernel is forked from."""

    folder: Path

    def kernel(self, arguments: list[str]) -> Handle: ...


class Provisioner(KernelProvisionerBase):
    """Starts the kernel by asking for a fork, and reaches it over a handle."""

    handle: Handle | None = None

    @property
    def has_process(self) -> bool:
        return self.handle is not None

    async def poll(self) -> int | None:
        return 1 if self.handle is None or self.handle.wait(0) else None

    async def wait(self) -> int | None:
        while await self.poll() is None:
            await asyncio.sleep(0.005)
        await self.cleanup()
        return 0

    async def send_signal(self, signum: int) -> None:
        if self.handle:
            self.handle.send(signum)

    async def kill(self, restart: bool = False) -> None:
        await self.send_signal(signal.SIGKILL)

    async def terminate(self, restart: bool = False) -> None:
        await self.send_signal(signal.SIGKILL)

    async def cleanup(self, restart: bool = False) -> None:
        if self.handle:
            self.handle.close()
            self.handle = None

    async def pre_launch(self, **kwargs: Any) -> dict[str, Any]:
        manager = cast(Manager, self.parent)
        manager.write_connection_file()
        self.connection_info = manager.get_connection_info()
        more = kwargs.pop("extra_arguments", [])
        return await super().pre_launch(cmd=manager.format_kernel_cmd(extra_arguments=more),
                                        **kwargs)

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:
        self.handle = cast(Manager, self.parent).forks.kernel(cmd)
        return self.connection_info


KernelProvisionerFactory.instance().provisioners["grader"] = EntryPoint(
    "grader", "grader.kernels:Provisioner", KernelProvisionerFactory.GROUP_NAME)
SPEC = KernelSpec(argv=["-f", "{connection_file}"], display_name="grading", language="python",
                  metadata={"kernel_provisioner": {"provisioner_name": "grader"}})


class Manager(AsyncKernelManager):
    """Its sockets are files in the private folder, so that the kernel needs no network."""

    def __init__(self, forks: Forks, life: int) -> None:
        sockets = forks.folder / f"s{life}"
        if len(os.fsencode(sockets)) > LONGEST:
            raise GraderError(f"{forks.folder.parent} is too long a path for sockets; set TMPDIR "
                              "to a shorter one")
        super().__init__(transport="ipc", ip=str(sockets),
                         connection_file=str(forks.folder / f"kernel-{life}.json"))
        self.forks, self._kernel_spec = forks, SPEC

    def client(self, **kwargs: Any) -> AsyncKernelClient:  # type: ignore[override]
        """A client that takes no more from a kernel than this process can hold."""
        made = super().client(**kwargs)
        made.context.setsockopt(zmq.MAXMSGSIZE, LARGEST)
        made.context.setsockopt(zmq.RCVHWM, WAITING)
        return made
